import type { Server } from 'node:https';
import { WebSocketServer } from 'ws';
import { CHANNEL_REPLACED, channelReply, DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import type { Context } from '../../context.ts';
import type { DeviceCaller } from '../../http/caller.ts';
import { type CertificateRequest, certificateOf } from '../../http/client-certificate.ts';
import { startPings } from '../../http/ping-web-sockets.ts';
import { acceptUpgrades } from '../../http/upgrade.ts';
import { startDelivery } from './delivery.ts';
import type { DeviceConnection } from './device-connection.ts';

const GOING_AWAY = 1001;
const NOT_UNDERSTOOD = 1007;
/** The time after which clients that have not closed the connection are disconnected. */
const LEAVE_MS = 2000;

/** Serves the WebSocket that pushes configuration to devices and receives their acknowledgments. */
export function serveDeviceChannel(
  server: Server,
  context: Context,
  callerOf: (request: CertificateRequest) => Promise<DeviceCaller>,
): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  const delivery = startDelivery(context);
  context.metrics.gauge(
    'device_channels',
    'Devices with an open channel',
    () => sockets.clients.size,
  );

  acceptUpgrades(server, sockets, DEVICE_CHANNEL_PATH, context.shutdown, {
    authenticate: async (request) => ({
      device: await callerOf(request),
      ...certificateOf(request, context.config.clientCertProxies),
    }),
    open(socket, { device, fingerprint, expiry }, request) {
      const connection: DeviceConnection = {
        device,
        fingerprint,
        expiry,
        lastSent: null,
        check: () => callerOf(request),
        send: (text) => socket.send(text),
        close(code, reason) {
          socket.close(code, reason);
          setTimeout(() => socket.terminate(), LEAVE_MS).unref();
        },
      };
      startPings(socket);
      for (const earlier of delivery.connectionsOf(device))
        earlier.close(CHANNEL_REPLACED, 'the device has opened another channel');
      socket.on('message', (data: Buffer) => {
        const version = readReply(data);
        if (version !== null) delivery.acknowledged(connection, version);
        else socket.close(NOT_UNDERSTOOD, 'expected {"type": "applied", "version": …}');
      });
      socket.on('close', () => delivery.closed(connection));
      delivery.opened(connection);
    },
  });
  return async () => {
    await delivery.stop();
    for (const socket of sockets.clients) socket.close(GOING_AWAY, 'the service is shutting down');
    sockets.close();
  };
}

function readReply(data: Buffer): number | null {
  try {
    return channelReply.parse(JSON.parse(data.toString())).version;
  } catch {
    return null;
  }
}

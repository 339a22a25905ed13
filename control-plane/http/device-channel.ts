import type { Server } from 'node:https';
import { WebSocketServer } from 'ws';
import { CHANNEL_REPLACED, channelReply, deviceChannelPath } from '#contract/device.ts';
import type { Context } from '../context.ts';
import { callerOfCertificate } from '../devices/caller.ts';
import { presentedBy } from '../devices/client-certificate.ts';
import { startDelivery } from '../guard/delivery/delivery.ts';
import type { DeviceConnection } from '../guard/delivery/device-connection.ts';
import { keepAlive } from './keep-alive.ts';
import { acceptUpgrades } from './upgrade.ts';

const GOING_AWAY = 1001;
const NOT_UNDERSTOOD = 1007;
/** Clients that have not closed the connection by then are cut off. */
const LEAVE_MS = 2000;

/** WebSocket that pushes configuration to devices and receives their acknowledgments. */
export function serveDeviceChannel(server: Server, context: Context): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  const delivery = startDelivery(context);
  context.metrics.gauge(
    'device_channels',
    'Devices with an open channel',
    () => sockets.clients.size,
  );

  acceptUpgrades(server, sockets, deviceChannelPath, context.shutdown, {
    authenticate: async (request) => ({
      device: await callerOfCertificate(context, request),
      ...presentedBy(request, context.config.deviceProxies),
    }),
    open(socket, { device, fingerprint, expiry }, request) {
      const connection: DeviceConnection = {
        device,
        fingerprint,
        expiry,
        check: () => callerOfCertificate(context, request),
        send: (text) => socket.send(text),
        close(code, reason) {
          socket.close(code, reason);
          setTimeout(() => socket.terminate(), LEAVE_MS).unref();
        },
      };
      keepAlive(socket);
      for (const earlier of delivery.linesOf(device))
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

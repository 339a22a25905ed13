import type { Server } from 'node:https';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type ChannelPush,
  channelPush,
  channelReply,
  deviceChannelPath,
} from '#contract/device.ts';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { callerOfCertificate } from '../endpoint/caller.ts';
import { configOfDevice } from '../endpoint/guard/device-config.ts';
import { configVersion } from '../endpoint/guard/queries.ts';
import { touchDevice } from '../endpoint/reports/queries.ts';
import { believableVersion } from '../endpoint/reports/rules.ts';
import type { DeviceCaller } from './call.ts';
import { keepAlive } from './keep-alive.ts';
import { acceptUpgrades } from './upgrade.ts';

/** One open line to a device. */
interface Line {
  socket: WebSocket;
  device: DeviceCaller;
  /** Throws once the certificate that opened the line no longer counts. */
  check: () => Promise<unknown>;
}

/** The WebSocket over which devices are told their configuration and acknowledge it. */
export function serveDeviceChannel(server: Server, context: Context): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  const lines = new Set<Line>();

  acceptUpgrades(server, sockets, deviceChannelPath, {
    authenticate: (request) => callerOfCertificate(context, request.socket),
    open: (socket, device, request) => {
      const check = () => callerOfCertificate(context, request.socket);
      const line: Line = { socket, device, check };
      lines.add(line);
      keepAlive(socket);
      socket.on(
        'message',
        (data) => void guarded(context, line, () => onReply(context, line, data)),
      );
      socket.on('close', () => {
        lines.delete(line);
        const another = [...lines].some((one) => one.device.deviceId === device.deviceId);
        if (!another) void guarded(context, line, () => onDisconnect(context, device));
      });
      void guarded(context, line, () => onConnect(context, line));
    },
  });

  const unsubscribe = context.storage.signals.subscribe((signal) => {
    for (const line of lines) {
      // Whoever is suspended takes all below it along.
      if (signal.topic === 'tenants')
        void guarded(context, line, async () => void (await line.check()));
      if (line.device.tenantId !== signal.tenant_id) continue;
      if (signal.topic === 'guard') void guarded(context, line, () => push(context, line));
      // What was revoked is cut off now, not with the next message.
      if (signal.topic === 'devices' && signal.device_id === line.device.deviceId)
        void guarded(context, line, async () => void (await line.check()));
    }
  });
  return () => {
    unsubscribe();
    for (const { socket } of lines) socket.close(1001, 'the service stops');
    sockets.close();
  };
}

async function onConnect(context: Context, line: Line): Promise<void> {
  const now = context.now();
  await touchDevice(context.storage.db, line.device, { last_seen: now, disconnected_at: null });
  announce(context, line.device);
  await push(context, line);
}

async function onReply(context: Context, { device, check }: Line, data: unknown): Promise<void> {
  await check();
  const { db } = context.storage;
  const { version } = channelReply.parse(JSON.parse(String(data)));
  const applied_version = believableVersion(version, await configVersion(db, device.tenantId));
  await touchDevice(db, device, { last_seen: context.now(), applied_version });
  announce(context, device);
}

async function onDisconnect(context: Context, device: DeviceCaller): Promise<void> {
  // The silence begins now; a report after this moment makes the device online again.
  const now = context.now();
  await touchDevice(context.storage.db, device, { last_seen: now, disconnected_at: now });
  announce(context, device);
}

async function push(context: Context, { socket, device, check }: Line): Promise<void> {
  await check();
  const config = await configOfDevice(context.storage.db, device.tenantId, device.deviceId);
  const message: ChannelPush = { type: 'config', config };
  socket.send(JSON.stringify(channelPush.parse(message)));
}

function announce(context: Context, { tenantId, deviceId }: DeviceCaller): void {
  context.storage.signals.publish({ tenant_id: tenantId, topic: 'devices', device_id: deviceId });
}

/** What goes wrong with one device's line concerns no other; who is refused is cut off. */
async function guarded(
  context: Context,
  { socket }: Line,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ApiError) socket.close(1008, error.message.slice(0, 100));
    else context.log.warn({ err: error }, 'device channel');
  }
}

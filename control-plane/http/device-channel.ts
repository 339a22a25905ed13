import type { Server } from 'node:https';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type ChannelPush,
  channelPush,
  channelReply,
  deviceChannelPath,
} from '#contract/device.ts';
import type { Context } from '../context.ts';
import { callerOfCertificate } from '../endpoint/caller.ts';
import { configOfDevice } from '../endpoint/guard/device-config.ts';
import { touchDevice } from '../endpoint/reports/queries.ts';
import type { DeviceCaller } from './call.ts';
import { keepAlive } from './keep-alive.ts';
import { acceptUpgrades } from './upgrade.ts';

/** The WebSocket over which devices are told their configuration and acknowledge it. */
export function serveDeviceChannel(server: Server, context: Context): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  const connected = new Map<WebSocket, DeviceCaller>();
  const { signals } = context.storage;

  acceptUpgrades(server, sockets, deviceChannelPath, {
    authenticate: (request) => callerOfCertificate(context, request.socket),
    open: (socket, device) => {
      connected.set(socket, device);
      keepAlive(socket);
      socket.on('message', (data) => void guarded(context, () => onReply(context, device, data)));
      socket.on('close', () => {
        connected.delete(socket);
        const stillThere = [...connected.values()].some((one) => one.deviceId === device.deviceId);
        if (!stillThere) void guarded(context, () => onDisconnect(context, device));
      });
      void guarded(context, () => onConnect(context, socket, device));
    },
  });

  const unsubscribe = signals.subscribe(({ topic, tenant_id }) => {
    if (topic !== 'guard') return;
    for (const [socket, device] of connected)
      if (device.tenantId === tenant_id) void guarded(context, () => push(context, socket, device));
  });
  return () => {
    unsubscribe();
    for (const socket of connected.keys()) socket.close(1001, 'the service stops');
    sockets.close();
  };
}

async function onConnect(context: Context, socket: WebSocket, device: DeviceCaller): Promise<void> {
  const now = context.now();
  await touchDevice(context.storage.db, device, { last_seen: now, disconnected_at: null });
  announce(context, device);
  await push(context, socket, device);
}

async function onReply(context: Context, device: DeviceCaller, data: unknown): Promise<void> {
  const { version } = channelReply.parse(JSON.parse(String(data)));
  const now = context.now();
  await touchDevice(context.storage.db, device, { last_seen: now, applied_version: version });
  announce(context, device);
}

async function onDisconnect(context: Context, device: DeviceCaller): Promise<void> {
  // The silence begins now; a report after this moment makes the device online again.
  const now = context.now();
  await touchDevice(context.storage.db, device, { last_seen: now, disconnected_at: now });
  announce(context, device);
}

async function push(context: Context, socket: WebSocket, device: DeviceCaller): Promise<void> {
  const config = await configOfDevice(context.storage.db, device.tenantId, device.deviceId);
  const message: ChannelPush = { type: 'config', config };
  socket.send(JSON.stringify(channelPush.parse(message)));
}

function announce(context: Context, { tenantId, deviceId }: DeviceCaller): void {
  context.storage.signals.publish({ tenant_id: tenantId, topic: 'devices', device_id: deviceId });
}

/** What goes wrong with one device's channel is logged and concerns no other. */
async function guarded(context: Context, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.warn({ err: error }, 'device channel');
  }
}

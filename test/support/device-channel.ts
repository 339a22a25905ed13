import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type ChannelPush, DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import type { Tls } from './device.ts';

/** The channel between a device and the control plane, as the agent opens it. */
export interface DeviceChannel {
  socket: WebSocket;
  /** The configurations that it has received, in order. */
  pushes: ChannelPush['config'][];
  /** Resolves with the first configuration of at least this version. */
  waitForVersion(atLeast: number): Promise<ChannelPush['config']>;
  /** Acknowledges a version. */
  acknowledge(version: number): void;
  /** Resolves when the control plane closes it, with code and reason. */
  closed: Promise<[number, string]>;
}

/** Opens a channel; resolves when it is open. */
export async function openChannel(url: string, tls: Tls): Promise<DeviceChannel> {
  const socket = new WebSocket(url.replace('https', 'wss') + DEVICE_CHANNEL_PATH, tls);
  const pushes: ChannelPush['config'][] = [];
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  socket.on('message', (data: Buffer) => {
    pushes.push((JSON.parse(data.toString()) as ChannelPush).config);
    socket.emit('pushed');
  });
  await once(socket, 'open');
  return {
    socket,
    pushes,
    async waitForVersion(atLeast) {
      for (;;) {
        const found = pushes.find(({ version }) => version >= atLeast);
        if (found) return found;
        await once(socket, 'pushed');
      }
    },
    acknowledge: (version) => socket.send(JSON.stringify({ type: 'applied', version })),
    closed,
  };
}

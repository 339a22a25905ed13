import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type ChannelPush, DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import type { Tls } from './device.ts';

/** The line of a device to the service, as an agent has it. */
export interface DeviceLine {
  socket: WebSocket;
  /** What it was told, in order. */
  pushes: ChannelPush['config'][];
  /** The first configuration that is of this version or a newer one. */
  version(atLeast: number): Promise<ChannelPush['config']>;
  /** Says that a version is in force. */
  acknowledge(version: number): void;
  /** How the service ended it: code and reason. */
  closed: Promise<[number, string]>;
}

/** Opens it, and resolves when it is open. */
export async function openLine(url: string, tls: Tls): Promise<DeviceLine> {
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
    async version(atLeast) {
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

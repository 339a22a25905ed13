import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { z } from 'zod';
import { createFrameReader, encodeFrame } from '#agent/core/extension-protocol/frame.ts';
import { MAX_ADDRESSES, MAX_HOSTS } from '#agent/core/extension-protocol/messages.ts';
import type { AgentMessage } from '#agent/core/extension-protocol/messages.ts';

/** The messages that the extensions accept; any other message ends the connection. */
const agentMessage: z.ZodType<AgentMessage> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), protocol: z.int() }),
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('observe'), on: z.boolean() }),
  z.object({
    type: z.literal('divert'),
    number: z.int().min(0),
    hosts: z.array(z.string()).max(MAX_HOSTS),
    addresses: z.array(z.string()).max(MAX_ADDRESSES),
    socket: z.string().startsWith('/'),
  }),
]);

export interface FakeExtensionOptions {
  path: string;
  name: 'flowmonitor' | 'proxymonitor';
  /** The version of the protocol in its hello. */
  protocol?: number;
  /** The responses to a message; by default those of an extension without flows that can divert. */
  answer?: (message: AgentMessage) => object[];
}

/** A program that speaks the documented protocol as an extension does. */
export interface FakeExtension {
  /** The messages of the agent, except keep-alives. */
  received: AgentMessage[];
  /** The reasons for which connections of agents were ended. */
  refusals: string[];
  /** Sends messages to all connected agents. */
  send: (...messages: object[]) => void;
  sendBytes: (bytes: Uint8Array) => void;
  connections: () => number;
  /** Ends all connections, and accepts none until `start`. */
  stop: () => Promise<void>;
  start: () => Promise<void>;
}

export async function startFakeExtension(options: FakeExtensionOptions): Promise<FakeExtension> {
  const { path, name, protocol = 1, answer = usualAnswer } = options;
  const received: AgentMessage[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  let server = createServer();

  function take(socket: Socket, body: string): void {
    const read = agentMessage.safeParse(JSON.parse(body));
    const isFirst = !received.some(({ type }) => type === 'hello');
    if (!read.success) return refuse(socket, `malformed: ${body}`);
    if (isFirst && read.data.type !== 'hello') return refuse(socket, 'no hello');
    if (read.data.type === 'alive') return;
    received.push(read.data);
    if (read.data.type === 'hello')
      socket.write(encodeFrame({ type: 'hello', protocol, extension: name, version: '1.2.3' }));
    for (const message of answer(read.data)) socket.write(encodeFrame(message));
  }

  function refuse(socket: Socket, reason: string): void {
    refusals.push(reason);
    socket.destroy();
  }

  function greet(socket: Socket): void {
    const reader = createFrameReader();
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .on('data', (bytes) => {
        const { bodies, error } = reader.read(bytes);
        for (const body of bodies) take(socket, body);
        if (error) refuse(socket, 'no frame');
      });
  }

  async function start(): Promise<void> {
    mkdirSync(dirname(path), { recursive: true });
    chmodSync(dirname(path), 0o755);
    rmSync(path, { force: true });
    server = createServer(greet);
    await once(server.listen(path), 'listening');
  }

  await start();
  return {
    received,
    refusals,
    send: (...messages) => {
      for (const socket of sockets)
        for (const message of messages) socket.write(encodeFrame(message));
    },
    sendBytes: (bytes) => {
      for (const socket of sockets) socket.write(bytes);
    },
    connections: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
    start,
  };
}

function usualAnswer(message: AgentMessage): object[] {
  if (message.type === 'observe' && message.on) return [{ type: 'listed' }];
  if (message.type === 'divert')
    return [{ type: 'diverting', number: message.number, problem: null }];
  return [];
}

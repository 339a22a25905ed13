import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startChannel } from './channel.ts';
import { createLog } from './log.ts';
import { createProblems } from './problems.ts';
import type { ServiceClient } from './service-client.ts';

// A silent line needs no certificates to be silent.
let server: WebSocketServer;
let client: ServiceClient;
const problems = createProblems(createLog({ level: 'error', write: () => {} }));
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = {
    origin: `http://127.0.0.1:${port}`,
    openWebSocket: () => new WebSocket(`ws://127.0.0.1:${port}`),
  } as unknown as ServiceClient;
});
afterEach(() => {
  server.clients.forEach((socket) => socket.terminate());
  server.close();
});

const start = (silenceMs: number) =>
  startChannel({
    connection: { asDevice: () => client },
    problems,
    onConfig: () => {},
    onConnected: () => {},
    onRefused: () => {},
    backoff: { firstMs: 1, mostMs: 1 },
    silenceMs,
  });

test('a line on which nothing comes is dead and replaced', async () => {
  let lines = 0;
  server.on('connection', () => (lines += 1));
  const channel = start(50);
  await vi.waitFor(() => expect(lines).toBeGreaterThan(2), { timeout: 10_000 });
  await channel.stop();
});

test('pings keep it alive, and are answered', async () => {
  let lines = 0;
  let pongs = 0;
  server.on('connection', (socket) => {
    lines += 1;
    socket.on('pong', () => (pongs += 1));
    const timer = setInterval(() => socket.ping(), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const channel = start(1000);
  await vi.waitFor(() => expect(pongs).toBeGreaterThan(75), { timeout: 10_000 });
  expect(lines).toBe(1);
  await channel.stop();
});

test('stopping while it connects leaves no connection and no problem', async () => {
  const channel = start(60_000);
  await Promise.resolve();
  await channel.stop();
  expect(problems.list()).toEqual([]);
  expect(server.clients.size).toBe(0);
});

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { CHANNEL_REPLACED } from '#contract/device-protocol.ts';
import { startChannel } from './channel.ts';
import { createLog } from '../log.ts';
import { createProblems } from '../status/problems.ts';
import type { ControlPlaneClient } from './control-plane-client.ts';

// A plain WebSocket suffices, because these tests need no TLS.
let server: WebSocketServer;
let client: ControlPlaneClient;
const problems = createProblems(createLog({ level: 'error', write: () => {} }));
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = {
    origin: `http://127.0.0.1:${port}`,
    openWebSocket: () => new WebSocket(`ws://127.0.0.1:${port}`),
  } as unknown as ControlPlaneClient;
});
afterEach(() => {
  server.clients.forEach((socket) => socket.terminate());
  server.close();
});

const start = (timeoutMs: number, backoff = { firstMs: 1, maxMs: 1 }) =>
  startChannel({
    connection: { asDevice: () => client },
    problems,
    onConfig: () => {},
    onConnected: () => {},
    onRefused: () => {},
    backoff,
    timeoutMs,
  });

test('a silent connection is replaced', async () => {
  let lines = 0;
  server.on('connection', () => (lines += 1));
  const channel = start(50);
  await vi.waitFor(() => expect(lines).toBeGreaterThan(2));
  await channel.stop();
});

test('pings keep the connection alive and are answered', async () => {
  let lines = 0;
  let pongs = 0;
  server.on('connection', (socket) => {
    lines += 1;
    socket.on('pong', () => (pongs += 1));
    const timer = setInterval(() => socket.ping(), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const channel = start(1000);
  await vi.waitFor(() => expect(pongs).toBeGreaterThan(75));
  expect(lines).toBe(1);
  await channel.stop();
});

test('a connection that another process took over is not taken back at once', async () => {
  server.on('connection', (socket) => socket.close(CHANNEL_REPLACED, 'another'));
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const pause = vi.spyOn(globalThis, 'setTimeout');
  const channel = start(60_000, { firstMs: 1, maxMs: 54_321 });
  await vi.waitFor(() => expect(pause.mock.calls.map(([, ms]) => ms)).toContain(54_321));
  vi.restoreAllMocks();
  await channel.stop();
});

test('stopping during the connection attempt leaves no connection and no problem', async () => {
  const channel = start(60_000);
  await Promise.resolve();
  await channel.stop();
  expect(problems.list()).toEqual([]);
  expect(server.clients.size).toBe(0);
});

test('an ended connection leaves no abort listener behind', async () => {
  const added = vi.spyOn(EventTarget.prototype, 'addEventListener');
  const removed = vi.spyOn(EventTarget.prototype, 'removeEventListener');
  /** Returns the number of these calls that concern abort listeners. */
  const aborts = ({ mock }: typeof added | typeof removed): number =>
    mock.calls.filter(
      ([type], index) => type === 'abort' && mock.contexts[index] instanceof AbortSignal,
    ).length;
  let lines = 0;
  server.on('connection', (socket) => {
    lines += 1;
    socket.close();
  });
  const channel = start(60_000);
  await vi.waitFor(() => expect(lines).toBeGreaterThan(10));
  expect(aborts(added)).toBeGreaterThan(10);
  expect(aborts(added) - aborts(removed)).toBeLessThan(3);
  await channel.stop();
  vi.restoreAllMocks();
});

import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { backoff, createLive } from './live.ts';
import type { Live, LiveListener } from './live.ts';

const open: { server: WebSocketServer; live: Live }[] = [];

afterEach(async () => {
  for (const { server, live } of open.splice(0)) {
    live.stop();
    await new Promise((resolve) => server.close(resolve));
  }
});

const NEVER = 600_000;

async function connected(delays: { retry: number; poll: number }) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const sockets: ServerSocket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const live = createLive({
    url: () => `ws://127.0.0.1:${port}`,
    retryDelay: () => delays.retry,
    pollEvery: delays.poll,
  });
  open.push({ server, live });
  live.start();
  await vi.waitFor(() => expect(live.status()).toBe('live'));
  return { live, sockets };
}

describe('the live channel', () => {
  test('notifies the listeners of the topic', async () => {
    const { live, sockets } = await connected({ retry: 1, poll: NEVER });
    const flows = vi.fn<LiveListener>();
    const runs = vi.fn<LiveListener>();
    live.subscribe(['flows', 'apps'], flows);
    live.subscribe(['runs'], runs);
    for (const text of ['not JSON', '{"topic":"unknown"}', '{"topic":"flows","device_id":"dev_1"}'])
      sockets[0]?.send(text);

    await vi.waitFor(() => expect(flows).toHaveBeenCalled());
    expect(flows.mock.calls).toEqual([[{ topic: 'flows', device_id: 'dev_1' }]]);
    expect(runs).not.toHaveBeenCalled();
  });

  test('reconnects when the connection is lost, and notifies without a message', async () => {
    const { live, sockets } = await connected({ retry: 1, poll: NEVER });
    const listener = vi.fn<LiveListener>();
    const statuses: string[] = [];
    live.onStatus(() => statuses.push(live.status()));
    live.subscribe(['runs'], listener);
    sockets[0]?.terminate();
    await vi.waitFor(() => expect(statuses).toEqual(['reconnecting', 'live']));
    expect(listener).toHaveBeenCalledWith(undefined);
  });

  test('notifies without a message at intervals while the connection is lost', async () => {
    const { live, sockets } = await connected({ retry: NEVER, poll: 1 });
    const listener = vi.fn<LiveListener>();
    live.subscribe(['runs'], listener);
    sockets[0]?.terminate();
    await vi.waitFor(() => expect(listener.mock.calls.length).toBeGreaterThan(2));
    expect(live.status()).toBe('reconnecting');
  });

  test('stays disconnected once stopped, and can be restarted', async () => {
    const { live, sockets } = await connected({ retry: 1, poll: NEVER });
    live.stop();
    await vi.waitFor(() => expect(sockets[0]?.readyState).toBe(3));
    expect([live.status(), sockets.length]).toEqual(['connecting', 1]);
    live.start();
    await vi.waitFor(() => expect(live.status()).toBe('live'));
  });
});

test('the backoff doubles up to 30 seconds', () => {
  expect([0, 1, 2, 4, 5, 60].map(backoff)).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000]);
});

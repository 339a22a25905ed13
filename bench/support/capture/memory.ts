import { setTimeout as pause } from 'node:timers/promises';
import { residentMb } from '../processes.ts';
import type { Order } from './client.ts';
import type { Relay, startClient } from './programs.ts';

type Client = ReturnType<typeof startClient>;

export interface Growth {
  /** The MB before the order, and the maximum during it. */
  before: number;
  most: number;
}

const SAMPLE_MS = 20;

/** Measures the resident memory of a relay while it executes an order. */
async function watch(relay: Relay, client: Client, order: Order): Promise<Growth> {
  const before = residentMb(relay.pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentMb(relay.pid))), SAMPLE_MS);
  await client.run(order);
  clearInterval(timer);
  return { before, most };
}

const orderTo = ({ port, pid }: Relay, rest: Omit<Order, 'port' | 'pid'>): Order => ({
  port,
  pid,
  ...rest,
});

/** Measures memory while streams are open, and when all of them end within two seconds. */
export async function watchStreams(relay: Relay, client: Client, streams: number) {
  const watching = watch(
    relay,
    client,
    orderTo(relay, { load: 'events', connections: streams, seconds: 7, everyMs: 50 }),
  );
  await pause(3500);
  const open = residentMb(relay.pid);
  return { open, ended: (await watching).most };
}

/**
 * Measures memory after a warm-up of the same total size, which fills all buffers and starts all
 * threads.
 */
export async function watchBody(relay: Relay, client: Client, bytes: number): Promise<Growth> {
  const body = { load: 'one body', connections: 1, seconds: 0 } as const;
  for (let i = 0; i < 16; i += 1)
    await client.run(orderTo(relay, { ...body, bytes: Math.round(bytes / 16) }));
  await pause(500);
  return watch(relay, client, orderTo(relay, { ...body, bytes }));
}

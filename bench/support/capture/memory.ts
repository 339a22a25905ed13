import { setTimeout as pause } from 'node:timers/promises';
import { residentMb } from '../processes.ts';
import type { Order } from './client.ts';
import type { Relay, startClient } from './programs.ts';

type Client = ReturnType<typeof startClient>;

/** The maximum of resident memory, in MB. */
export interface Growth {
  /** During the smaller bodies. */
  before: number;
  /** During the large one. */
  most: number;
}

const SAMPLE_MS = 20;

/** The maximum of a relay's resident memory, in MB, while it executes an order. */
async function watch(relay: Relay, client: Client, order: Order): Promise<number> {
  let most = residentMb(relay.pid);
  const timer = setInterval(() => (most = Math.max(most, residentMb(relay.pid))), SAMPLE_MS);
  await client.run(order);
  clearInterval(timer);
  return most;
}

const orderTo = ({ port, pid }: Relay, rest: Omit<Order, 'port' | 'pid'>): Order => ({
  port,
  pid,
  ...rest,
});

/** While streams are open, and when they all end within two seconds. */
export async function watchStreams(relay: Relay, client: Client, streams: number) {
  const watching = watch(
    relay,
    client,
    orderTo(relay, { load: 'events', connections: streams, seconds: 7, everyMs: 50 }),
  );
  await pause(3500);
  const open = residentMb(relay.pid);
  return { open, ended: await watching };
}

/**
 * Measures memory during a large body, beside 16 bodies of the same total size: memory that the
 * collector has not freed yet depends on the number of bytes, and what is kept of a body on its
 * size.
 */
export async function watchBody(relay: Relay, client: Client, bytes: number): Promise<Growth> {
  const body = { load: 'one body', connections: 1, seconds: 0 } as const;
  const orderOf = (size: number): Order => orderTo(relay, { ...body, bytes: Math.round(size) });
  let before = 0;
  for (let i = 0; i < 16; i += 1)
    before = Math.max(before, await watch(relay, client, orderOf(bytes / 16)));
  return { before, most: await watch(relay, client, orderOf(bytes)) };
}

import { setTimeout as pause } from 'node:timers/promises';
import { residentMb } from '../processes.ts';
import type { Order } from './client.ts';
import type { Relay, startClient } from './programs.ts';

type Client = ReturnType<typeof startClient>;

export interface Growth {
  /** MB before, and at most meanwhile. */
  before: number;
  most: number;
}

const SAMPLE_MS = 20;

/** The resident memory of a relay while an order is carried out. */
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

export const watchStreams = (relay: Relay, client: Client, streams: number): Promise<Growth> =>
  watch(
    relay,
    client,
    orderTo(relay, { load: 'events', connections: streams, seconds: 7, everyMs: 50 }),
  );

/** After others that are as large as to fill all buffers, and started all threads. */
export async function watchBody(relay: Relay, client: Client, bytes: number): Promise<Growth> {
  const body = { load: 'one body', connections: 1, seconds: 0 } as const;
  for (let i = 0; i < 3; i += 1) await client.run(orderTo(relay, { ...body, bytes: 64e6 }));
  await pause(500);
  return watch(relay, client, orderTo(relay, { ...body, bytes }));
}

import { setTimeout as pause } from 'node:timers/promises';
import { residentMb } from '../processes.ts';
import type { Order } from './client.ts';
import type { GatehouseRelay, Relay, startClient } from './programs.ts';

type Client = ReturnType<typeof startClient>;

/** The maximum of resident memory, in MB. */
export interface Growth {
  /** During the smaller bodies. */
  before: number;
  /** During the large one. */
  most: number;
}

const SAMPLE_MS = 20;
const SMALLER_BODIES = 16;

/** The maximum of a relay's resident memory, in MB, during some work. */
async function watch(relay: Relay, work: () => Promise<unknown>): Promise<number> {
  let most = residentMb(relay.pid);
  const timer = setInterval(() => (most = Math.max(most, residentMb(relay.pid))), SAMPLE_MS);
  await work();
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
  const order = orderTo(relay, { load: 'events', connections: streams, seconds: 7, everyMs: 50 });
  const watching = watch(relay, () => client.run(order));
  await pause(3500);
  const open = residentMb(relay.pid);
  return { open, ended: await watching };
}

/**
 * Measures memory during a large body, beside 16 bodies of the same total size: memory that the
 * collector has not freed yet depends on the number of bytes, and what is kept of a body on its
 * size. The reports of the smaller bodies are made before the large body starts, so that their
 * memory is not counted as its growth.
 */
export async function watchBody(
  relay: Relay | GatehouseRelay,
  client: Client,
  bytes: number,
): Promise<Growth> {
  const transfer = async (count: number): Promise<void> => {
    const order = orderTo(relay, {
      load: 'one body',
      connections: 1,
      seconds: 0,
      bytes: Math.round(bytes / count),
    });
    for (let i = 0; i < count; i += 1) await client.run(order);
    if ('reports' in relay) await untilReported(relay, count);
  };
  return {
    before: await watch(relay, () => transfer(SMALLER_BODIES)),
    most: await watch(relay, () => transfer(1)),
  };
}

/** Waits until the relay has reported that many exchanges. */
async function untilReported(relay: GatehouseRelay, count: number): Promise<void> {
  for (let made = 0; made < count; await pause(SAMPLE_MS)) made += (await relay.reports()).made;
}

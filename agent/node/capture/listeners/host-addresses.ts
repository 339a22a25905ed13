import { lookup as lookUpHost } from 'node:dns/promises';
import { createAddressCache } from '#agent/core/capture/listeners/address-cache.ts';

/** The addresses of the enabled hosts: resolved at intervals, and observed in DNS responses. */
export interface HostAddresses {
  /** Resolves when new hosts were looked up, or after some seconds without a response. */
  setHosts: (hosts: readonly string[]) => Promise<void>;
  /** Records a DNS response that a program on this machine received. */
  addResolved: (host: string, addresses: readonly string[], ttlSeconds: number) => void;
  /** Returns each address with the hosts that were found there. */
  current: () => Map<string, string[]>;
  stop: () => void;
}

export interface HostAddressesOptions {
  /** Called when the addresses may have changed. */
  onChange: () => void;
  lookup?: ((host: string) => Promise<string[]>) | undefined;
  now?: () => number;
}

const REFRESH_MS = 60_000;
const LOOKUP_TIMEOUT_MS = 5000;
/**
 * The maximum number of concurrent lookups: each occupies one of libuv's four threads, which also
 * read files.
 */
const MAX_CONCURRENT = 2;

export function createHostAddresses(options: HostAddressesOptions): HostAddresses {
  const { onChange, lookup = lookUpAll, now = Date.now } = options;
  /**
   * Observed addresses are in a cache of their own: any program on this computer or its network can
   * make up answers, and must not displace the addresses that this agent has resolved itself.
   */
  const resolved = createAddressCache();
  const observed = createAddressCache();
  let hosts: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  let isChangePending = false;
  /** Once for all responses of a turn: each application compares all addresses. */
  const changeSoon = (): void => {
    if (isChangePending) return;
    isChangePending = true;
    queueMicrotask(() => {
      isChangePending = false;
      onChange();
    });
  };

  const addResolved: HostAddresses['addResolved'] = (host, addresses, ttlSeconds) => {
    observed.add(host, addresses, ttlSeconds * 1000, now());
    changeSoon();
  };

  const lookupQueue = createQueue(async (host) => {
    const addresses = await lookup(host).catch(() => []); // offline, or the host does not exist
    resolved.add(host, addresses, 0, now());
    onChange();
  });

  function refresh(): void {
    for (const cache of [resolved, observed]) cache.removeExpired(now());
    onChange();
    // If name servers do not respond, a refresh may last longer than the interval.
    if (lookupQueue.isIdle()) void lookupQueue.add(withoutPatterns(hosts));
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    async setHosts(next) {
      const added = next.filter((host) => !hosts.includes(host));
      hosts = next;
      for (const cache of [resolved, observed]) cache.setHosts(next);
      onChange();
      if (next.length === 0) return stop();
      timer ??= setInterval(refresh, REFRESH_MS);
      await withTimeout(lookupQueue.add(withoutPatterns(added)));
    },
    addResolved,
    current: () => merged(resolved.current(), observed.current()),
    stop,
  };
}

function merged(
  hostsOf: Map<string, string[]>,
  more: ReadonlyMap<string, readonly string[]>,
): Map<string, string[]> {
  for (const [address, hosts] of more)
    hostsOf.set(address, [...new Set([...(hostsOf.get(address) ?? []), ...hosts])]);
  return hostsOf;
}

/**
 * Returns the hosts that can be looked up. Addresses for patterns are learned from DNS responses.
 */
const withoutPatterns = (hosts: readonly string[]): string[] =>
  hosts.filter((host) => !host.startsWith('*.'));

async function lookUpAll(host: string): Promise<string[]> {
  const found = await lookUpHost(host, { all: true });
  return found.map(({ address }) => address);
}

/** Processes hosts, a few concurrently; the latest added come first. */
function createQueue(work: (host: string) => Promise<void>) {
  const waiting: { host: string; resolve: () => void }[] = [];
  let running = 0;
  const next = (): void => {
    const item = running < MAX_CONCURRENT ? waiting.shift() : undefined;
    if (!item) return;
    running += 1;
    void work(item.host).finally(() => {
      running -= 1;
      item.resolve();
      next();
    });
    next();
  };
  return {
    isIdle: () => running === 0 && waiting.length === 0,
    async add(hosts: readonly string[]): Promise<void> {
      const items = hosts.map((host) => ({ host, ...Promise.withResolvers<void>() }));
      waiting.unshift(...items);
      next();
      await Promise.all(items.map(({ promise }) => promise));
    },
  };
}

async function withTimeout(work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

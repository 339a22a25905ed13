import { lookup as lookUpHost } from 'node:dns/promises';
import { createKeptAddresses } from '#agent/core/capture/doors/kept-addresses.ts';

/** The addresses of the enabled hosts: looked up now and then, and learned from others' answers. */
export interface HostAddresses {
  /** Resolves when new hosts were looked up, or after some seconds without an answer. */
  setHosts: (hosts: readonly string[]) => Promise<void>;
  /** Records a DNS answer that a program on this machine received. */
  learn: (host: string, addresses: readonly string[], ttlSeconds: number) => void;
  /** Each address with the hosts that were found there. */
  current: () => Map<string, string[]>;
  stop: () => void;
}

export interface HostAddressesOptions {
  /** There may be others now. */
  onChange: () => void;
  lookup?: ((host: string) => Promise<string[]>) | undefined;
  now?: () => number;
}

const roundMs = 60_000;
const patienceMs = 5000;
/** A look-up keeps one of the four threads that also read files. */
const atOnce = 2;

export function createHostAddresses(options: HostAddressesOptions): HostAddresses {
  const { onChange, lookup = lookUpAll, now = Date.now } = options;
  const kept = createKeptAddresses();
  let hosts: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const learn: HostAddresses['learn'] = (host, addresses, ttlSeconds) => {
    kept.see(host, addresses, ttlSeconds * 1000, now());
    onChange();
  };

  const lookUps = createQueue(async (host) => {
    const addresses = await lookup(host).catch(() => []); // offline, or there is no such host
    learn(host, addresses, 0);
  });

  function runRound(): void {
    kept.forgetOld(now());
    onChange();
    // Where name servers do not answer, a round may last longer than the time between two.
    if (lookUps.isIdle()) void lookUps.add(withoutPatterns(hosts));
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    async setHosts(next) {
      const added = next.filter((host) => !hosts.includes(host));
      hosts = next;
      kept.setHosts(next);
      onChange();
      if (next.length === 0) return stop();
      timer ??= setInterval(runRound, roundMs);
      await withPatience(lookUps.add(withoutPatterns(added)));
    },
    learn,
    current: kept.current,
    stop,
  };
}

/** A pattern has no addresses of its own; those of its hosts are learned. */
const withoutPatterns = (hosts: readonly string[]): string[] =>
  hosts.filter((host) => !host.startsWith('*.'));

async function lookUpAll(host: string): Promise<string[]> {
  const found = await lookUpHost(host, { all: true });
  return found.map(({ address }) => address);
}

/** Works through hosts, a few at once; those added last come first. */
function createQueue(work: (host: string) => Promise<void>) {
  const waiting: { host: string; resolve: () => void }[] = [];
  let running = 0;
  const next = (): void => {
    const item = running < atOnce ? waiting.shift() : undefined;
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

async function withPatience(work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

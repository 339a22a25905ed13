import { lookup } from 'node:dns/promises';
import { createAddressNames } from '#agent/core/address-names.ts';
import { plainAddress } from '#agent/core/ip-address.ts';
import type { HostNames } from './host-names.ts';

export interface ResolvedNamesOptions {
  /** The hosts to look up. */
  hosts: () => readonly string[];
  /** Resolves a host, by default with the system's resolver; may fail. */
  resolve?: (host: string) => Promise<string[]>;
  now: () => number;
  /** The minimum time between two rounds of lookups. */
  intervalMs?: number;
}

/**
 * The maximum number of concurrent lookups: they occupy threads of the small pool that file access
 * also uses.
 */
const MAX_CONCURRENT = 2;
const CACHED_ROUNDS = 3;

/**
 * Names from DNS lookups, for an agent that may not read packets: at a flow to an unknown address
 * on port 443, all hosts of the catalog are resolved. An address shared by two of them has no name.
 */
export function createResolvedNames(options: ResolvedNamesOptions): HostNames {
  const { hosts, resolve = lookUp, now, intervalMs = 300_000 } = options;
  const addresses = createAddressNames();
  let resolvedAt = -Infinity;
  let isStopped = false;

  async function resolveQueued(queue: Iterator<string>): Promise<void> {
    for (;;) {
      const { done, value: host } = queue.next();
      if (done || isStopped) return;
      // A host that cannot be resolved has no addresses.
      const found = await resolve(host).catch(() => []);
      for (const address of found)
        addresses.add(plainAddress(address), host, intervalMs * CACHED_ROUNDS, now());
    }
  }

  return {
    nameOf({ address, port }) {
      const name = addresses.nameOf(address, now());
      if (name === undefined && port === 443 && !isStopped && now() - resolvedAt >= intervalMs) {
        resolvedAt = now();
        const queue = hosts()[Symbol.iterator]();
        for (let i = 0; i < MAX_CONCURRENT; i++) void resolveQueued(queue);
      }
      return name;
    },
    finalAfterMs: 2 * intervalMs,
    stop: () => void (isStopped = true),
  };
}

async function lookUp(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

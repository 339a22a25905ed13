import { lookup } from 'node:dns/promises';
import { createAddressNames } from '#agent/core/address-names.ts';
import { plainAddress } from '#agent/core/ip-address.ts';
import type { HostNames } from './host-names.ts';

export interface ResolvedNamesOptions {
  /** The hosts to look up. */
  hosts: () => readonly string[];
  /** The addresses of a host, asked like applications ask unless given; may fail. */
  resolve?: (host: string) => Promise<string[]>;
  now: () => number;
  /** At most one round of look-ups in this time. */
  everyMs?: number;
}

/** Look-ups occupy threads of a small pool that file access needs too. */
const parallel = 2;
const roundsRemembered = 3;

/**
 * Names from asking, where the agent may not watch: when there is a flow to an address without a
 * name on port 443, the hosts of the catalog are looked up and their addresses remembered. An
 * address that two of them share names neither.
 */
export function createResolvedNames(options: ResolvedNamesOptions): HostNames {
  const { hosts, resolve = lookUp, now, everyMs = 300_000 } = options;
  const addresses = createAddressNames();
  let askedAt = -Infinity;
  let isStopped = false;

  async function askInTurn(queue: Iterator<string>): Promise<void> {
    for (;;) {
      const { done, value: host } = queue.next();
      if (done || isStopped) return;
      // A host that cannot be looked up now names no address: that is all there is to it.
      const found = await resolve(host).catch(() => []);
      for (const address of found) {
        addresses.remember(plainAddress(address), host, everyMs * roundsRemembered, now());
      }
    }
  }

  return {
    nameOf({ address, port }) {
      const name = addresses.nameOf(address, now());
      if (name === undefined && port === 443 && !isStopped && now() - askedAt >= everyMs) {
        askedAt = now();
        const queue = hosts()[Symbol.iterator]();
        for (let i = 0; i < parallel; i++) void askInTurn(queue);
      }
      return name;
    },
    settledAfterMs: 2 * everyMs,
    stop: () => void (isStopped = true),
  };
}

async function lookUp(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

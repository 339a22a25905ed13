import { normalizeHost } from '#domain/hosts/host-catalog.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { ipText } from '../../ip-address.ts';
import { ipBytes, isLocalAddress } from './ip-bytes.ts';

/** The diverted hosts as a set for `isEnabledHost`. */
export const enabledHosts = (hosts: readonly string[]): ReadonlySet<string> =>
  new Set(hosts.map(normalizeHost));

/**
 * Whether a host is enabled: exactly, or by `*.example.com`, which covers hosts exactly one label
 * below. ProxyMonitor on macOS applies the same rule, tested with shared vectors.
 */
export function isEnabledHost(enabled: ReadonlySet<string>, name: string): boolean {
  const host = normalizeHost(name);
  return (
    enabled.has(host) || (host.includes('.') && enabled.has(`*${host.slice(host.indexOf('.'))}`))
  );
}

/** Addresses of the enabled hosts, each kept for some time after its last sighting. */
export interface AddressCache {
  /** Removes the addresses of all other hosts. A host may be `*.example.com`: one label below. */
  setHosts: (hosts: readonly string[]) => void;
  /** Records a DNS answer; ignored for a host that is not enabled. Times in milliseconds. */
  add: (host: string, addresses: readonly string[], ttlMs: number, now: number) => void;
  removeExpired: (now: number) => void;
  /** Each address with its hosts. */
  current: () => Map<string, string[]>;
}

/**
 * Programs use an address beyond its TTL, from their own caches, and may connect minutes after the
 * answer.
 */
const MIN_TTL_MS = 600_000;
const MAX_TTL_MS = DAY_MS;
const MAX_ADDRESSES = 512;

export function createAddressCache(): AddressCache {
  let enabled = enabledHosts([]);
  const known = new Map<string, Map<string, number>>();

  return {
    setHosts(hosts) {
      enabled = enabledHosts(hosts);
      for (const host of known.keys()) if (!isEnabledHost(enabled, host)) known.delete(host);
    },
    add(name, addresses, ttlMs, now) {
      const host = normalizeHost(name);
      if (!isEnabledHost(enabled, host)) return;
      const kept = known.get(host) ?? new Map<string, number>();
      const until = now + Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, ttlMs));
      for (const address of addresses.flatMap(redirectable)) {
        const latest = Math.max(kept.get(address) ?? 0, until);
        kept.delete(address);
        kept.set(address, latest);
      }
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_ADDRESSES) break;
        kept.delete(oldest);
      }
      known.set(host, kept);
    },
    removeExpired(now) {
      for (const kept of known.values())
        for (const [address, until] of kept) if (until <= now) kept.delete(address);
    },
    current() {
      const hostsOf = new Map<string, string[]>();
      for (const [host, kept] of known)
        for (const address of kept.keys())
          hostsOf.set(address, [...(hostsOf.get(address) ?? []), host]);

      return hostsOf;
    },
  };
}

/**
 * The address in the canonical form of the kernel's sets. Empty for a local address, because a name
 * that is redirected to this machine to block it must stay blocked.
 */
function redirectable(address: string): string[] {
  const bytes = ipBytes(address);
  if (!bytes || isLocalAddress(address)) return [];
  return [ipText(bytes, 0, bytes.length === 4 ? 4 : 16)];
}

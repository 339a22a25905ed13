import { createAddressNames } from '#agent/core/address-names.ts';
import { readServerName } from '#agent/core/client-hello.ts';
import { readDnsResponse } from '#agent/core/dns-response.ts';
import { ipText } from '#agent/core/ip-address.ts';
import type { HostNames, NamedFlow } from './host-names.ts';
import type { OnResolved } from './source/flow-source.ts';

/**
 * The minimum time for which an address keeps its name: programs cache resolved addresses for a
 * minute or longer, regardless of the TTL.
 */
const MIN_CACHE_MS = 60_000;
const MAX_CACHE_MS = 3_600_000;
const HELLO_CACHE_MS = 120_000;
const MAX_HELLOS = 4096;

/**
 * The outer server name of Encrypted ClientHello at its largest operator, which hides the real
 * name.
 */
export const outerNames: ReadonlySet<string> = new Set(['cloudflare-ech.com']);

export interface ObservedNamesOptions {
  catalogHostOf: (name: string) => string | undefined;
  onResolved?: OnResolved | undefined;
  now: () => number;
}

/** `remote` is the address in bytes. */
interface ConnectionEnds {
  localPort: number;
  remote: Uint8Array;
  port: number;
}

export interface ObservedNames extends HostNames {
  /** The first bytes that a connection sent. */
  addClientHello: (ends: ConnectionEnds, payload: Uint8Array) => void;
  /** The server name of a connection (SNI). */
  addServerName: (ends: ConnectionEnds, name: string) => void;
  /** A received DNS message. */
  addDnsResponse: (message: Uint8Array) => void;
}

/**
 * Host names observed on the wire. The connection's own name (SNI) takes precedence over the last
 * DNS answer with its address. A ClientHello counts as nameless if its first part lacks the name.
 */
export function createObservedNames(options: ObservedNamesOptions): ObservedNames {
  const { catalogHostOf, onResolved, now } = options;
  const addresses = createAddressNames();
  const hellos = new Map<string, { host: string | null; until: number }>();

  const addServerName: ObservedNames['addServerName'] = (ends, name) => {
    if (outerNames.has(name)) return;
    const address = ipText(ends.remote, 0, ends.remote.length === 4 ? 4 : 16);
    const key = keyOf({ ...ends, protocol: 'tcp', address });
    hellos.delete(key);
    hellos.set(key, { host: catalogHostOf(name) ?? null, until: now() + HELLO_CACHE_MS });
    for (const [oldest, { until }] of hellos) {
      if (hellos.size <= MAX_HELLOS && until > now()) break;
      hellos.delete(oldest);
    }
  };

  return {
    addServerName,
    addClientHello(ends, payload) {
      const result = readServerName(payload);
      if (result.state === 'named') addServerName(ends, result.name);
    },
    addDnsResponse(message) {
      const response = readDnsResponse(message);
      const host = response?.names.map(catalogHostOf).find((name) => name !== undefined);
      if (!response || host === undefined) return;
      const ttl = Math.min(...response.addresses.map((found) => found.ttl));
      const found = response.addresses.map(({ address }) => address);
      if (found.length > 0) onResolved?.(host, found, ttl);
      for (const { address, ttl } of response.addresses) {
        const ttlMs = Math.min(MAX_CACHE_MS, Math.max(MIN_CACHE_MS, ttl * 1000));
        addresses.add(address, host, ttlMs, now());
      }
    },
    nameOf(flow) {
      const hello = hellos.get(keyOf(flow));
      if (hello && hello.until > now()) return hello.host;
      return addresses.nameOf(flow.address, now());
    },
    finalAfterMs: HELLO_CACHE_MS / 4,
    stop: () => undefined,
  };
}

function keyOf({ protocol, localPort, address, port }: NamedFlow): string {
  return `${protocol} ${localPort} ${address} ${port}`;
}

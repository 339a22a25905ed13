import { createAddressNames } from '#agent/core/address-names.ts';
import { readServerName } from '#agent/core/client-hello.ts';
import { readDnsAnswer } from '#agent/core/dns-answer.ts';
import { ipText } from '#agent/core/ip-address.ts';
import type { HostNames, NamedFlow } from './host-names.ts';
import type { OnResolved } from './source/source.ts';

/** Programs keep an address that they resolved for at least about a minute, whatever its ttl says. */
const shortestMs = 60_000;
const longestMs = 3_600_000;
const helloMs = 120_000;
const mostHellos = 4096;

/** The outer name of Encrypted ClientHello at its large operator: it hides the real one. */
export const coverNames: ReadonlySet<string> = new Set(['cloudflare-ech.com']);

export interface ObservedNamesOptions {
  isKnown: (name: string) => string | undefined;
  onResolved?: OnResolved | undefined;
  now: () => number;
}

export interface ObservedNames extends HostNames {
  /** The start of what a connection sent first. `remote` is an address as bytes. */
  takeClientHello: (
    ends: { localPort: number; remote: Uint8Array; port: number },
    payload: Uint8Array,
  ) => void;
  /** A DNS message that came in. */
  takeDnsAnswer: (message: Uint8Array) => void;
}

/**
 * Names as they pass on the wire. What a connection says about itself (SNI) decides; without, what
 * the address was last looked up as (DNS). A hello that arrives in parts whose first does not hold
 * the name counts as saying nothing.
 */
export function createObservedNames(options: ObservedNamesOptions): ObservedNames {
  const { isKnown, onResolved, now } = options;
  const addresses = createAddressNames();
  const hellos = new Map<string, { host: string | null; until: number }>();

  return {
    takeClientHello(ends, payload) {
      const result = readServerName(payload);
      if (result.state !== 'named' || coverNames.has(result.name)) return;
      const address = ipText(ends.remote, 0, ends.remote.length === 4 ? 4 : 16);
      const key = keyOf({ ...ends, protocol: 'tcp', address });
      hellos.delete(key);
      hellos.set(key, { host: isKnown(result.name) ?? null, until: now() + helloMs });
      for (const [oldest, { until }] of hellos) {
        if (hellos.size <= mostHellos && until > now()) break;
        hellos.delete(oldest);
      }
    },
    takeDnsAnswer(message) {
      const answer = readDnsAnswer(message);
      const host = answer?.names.map(isKnown).find((name) => name !== undefined);
      if (!answer || host === undefined) return;
      const ttl = Math.min(...answer.addresses.map((found) => found.ttl));
      const found = answer.addresses.map(({ address }) => address);
      if (found.length > 0) onResolved?.(host, found, ttl);
      for (const { address, ttl } of answer.addresses) {
        const ttlMs = Math.min(longestMs, Math.max(shortestMs, ttl * 1000));
        addresses.remember(address, host, ttlMs, now());
      }
    },
    nameOf(flow) {
      const hello = hellos.get(keyOf(flow));
      if (hello && hello.until > now()) return hello.host;
      return addresses.nameOf(flow.address, now());
    },
    settledAfterMs: helloMs / 4,
    stop: () => undefined,
  };
}

function keyOf({ protocol, localPort, address, port }: NamedFlow): string {
  return `${protocol} ${localPort} ${address} ${port}`;
}

import { LruMap } from '#lib/lru-map.ts';
import type { ClientProcess } from './connection-decision.ts';

/** The way in which a client ended the handshake after it received our certificate. */
export type HandshakeEnd = 'alert' | 'closed';

/**
 * Identifies a program by its path, by its script if it is an interpreter, and by its user, whose
 * settings may change what it trusts. `pid` identifies the process whose acceptance was observed.
 */
export interface HandshakeClient extends ClientProcess {
  pid: number | null;
  user?: string | null;
  /** The protocols that it offers by ALPN. They tell unknown processes apart, as far as possible. */
  protocols?: readonly string[];
}

export interface CertificateDistrust {
  /** Whether this client is known to reject our certificates for the host. */
  has(client: HandshakeClient, host: string): boolean;
  /** Records a failed handshake. Returns whether the client now counts as rejecting. */
  recordFailure(client: HandshakeClient, host: string, end: HandshakeEnd): boolean;
  /** Records an accepted certificate. */
  recordAcceptance(client: HandshakeClient, host: string): void;
  /** The clients that currently reject our certificates, the latest last. */
  list(): DistrustingClient[];
}

/** A program that rejects our certificates for a host. */
export interface DistrustingClient extends ClientProcess {
  host: string;
  since: number;
}

export interface DistrustOptions {
  now: () => number;
  /**
   * The time in ms for which a client is passed through. It may start to trust the root meanwhile.
   */
  durationMs?: number;
  /** The maximum number of stored pairs of a client and a host. */
  maxEntries?: number;
}

interface Entry extends DistrustingClient {
  /** The time of the last failure. */
  failedAt: number;
  until: number;
  /** The process of the last failure. */
  pid: number | null;
}

/**
 * Remembers which programs reject our certificates, so that their connections are passed through. A
 * TLS alert is a clear rejection. Node and some other clients close the connection without an
 * alert, but so do clients that are stopped or that opened spare connections. A close therefore
 * counts only the second time within the duration, and not if the same process was seen to accept a
 * certificate before or after.
 *
 * Acceptance by another process of the same program is ignored: one process may have been started
 * with settings that trust the root, and another without them. For the same reason acceptance by an
 * unknown process is ignored: it may be another one than the process that failed.
 */
export function createDistrust({
  now,
  durationMs = 3_600_000,
  maxEntries = 1000,
}: DistrustOptions): CertificateDistrust {
  const known = new LruMap<string, Entry>(maxEntries);
  /** The time at which each process last accepted a certificate. */
  const accepting = new LruMap<string, number>(maxEntries);
  const keyOf = (client: HandshakeClient, host: string): string => {
    const { path, process, script, user, protocols } = client;
    const program = path ?? process;
    // A known program offers different protocols in different modes, but trusts the same roots.
    return JSON.stringify([program, script, user, host, program === null && protocols]);
  };
  const processOf = (client: HandshakeClient, host: string): string =>
    `${client.pid}\n${keyOf(client, host)}`;
  const hasAccepted = (client: HandshakeClient, host: string): boolean =>
    now() - (accepting.peek(processOf(client, host)) ?? -Infinity) < durationMs;

  return {
    has: (client, host) => {
      const entry = known.peek(keyOf(client, host));
      return entry !== undefined && entry.until > now();
    },
    recordFailure: (client, host, end) => {
      if (end === 'closed' && hasAccepted(client, host)) return false;
      const key = keyOf(client, host);
      const earlier = known.peek(key);
      const isRepeated = earlier !== undefined && now() - earlier.failedAt < durationMs;
      const refuses = end === 'alert' || isRepeated;
      const { process, path, script = null, pid } = client;
      const until = refuses ? now() + durationMs : 0;
      const since = isRepeated ? earlier.since : now();
      known.set(key, { process, path, script, pid, host, failedAt: now(), until, since });
      return refuses;
    },
    recordAcceptance: (client, host) => {
      if (client.pid === null) return;
      const key = keyOf(client, host);
      if (known.peek(key)?.pid === client.pid) known.delete(key);
      accepting.set(processOf(client, host), now());
    },
    list: () =>
      [...known.values()]
        .filter(({ until }) => until > now())
        .map(({ process, path, script, host, since }) => ({ process, path, script, host, since })),
  };
}

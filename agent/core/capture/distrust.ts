import { LruMap } from '#lib/lru-map.ts';
import type { ClientProcess } from './connection-decision.ts';

/** How a client ended the handshake after it was shown our certificate. */
export type HandshakeEnd = 'alert' | 'closed';

/**
 * Programs are known by their path, by the script where that is an interpreter's, and by their user,
 * who may start them so that they trust less; it is a process that was seen to accept a certificate.
 */
export interface HandshakeClient extends ClientProcess {
  pid: number | null;
  user?: string | null;
}

export interface CertificateDistrust {
  /** Does this client, as far as is known, refuse our certificates for the host? */
  has(client: HandshakeClient, host: string): boolean;
  /** Its handshake failed. Answers whether it counts as refusing from now on. */
  recordFailure(client: HandshakeClient, host: string, end: HandshakeEnd): boolean;
  /** It has accepted one. */
  accepted(client: HandshakeClient, host: string): void;
  /** Who refuses them now, the latest last. */
  list(): DistrustingClient[];
}

/** A program that does not accept our certificates for a host. */
export interface DistrustingClient extends ClientProcess {
  host: string;
  since: number;
}

export interface DistrustOptions {
  now: () => number;
  /** How long a client is passed through, in ms. It may come to trust the root meanwhile. */
  forMs?: number;
  /** The most pairs of a process and a host that are remembered. */
  most?: number;
}

interface Entry extends DistrustingClient {
  closed: number;
  until: number;
  /** The process that failed last. */
  pid: number | null;
}

/**
 * Remembers which programs do not accept our certificates, so that they are passed through. An alert
 * says so; Node and others close the connection without one, as does a client that is just stopped, or
 * that opened more connections than it needs: closing counts when it happens twice, unless the process
 * that closed is seen to accept one, before or after.
 *
 * Another process of the same program says nothing for it: started in another way, one may know the
 * root and the other not, which has to work.
 */
export function createDistrust({
  now,
  forMs = 3_600_000,
  most = 1000,
}: DistrustOptions): CertificateDistrust {
  const known = new LruMap<string, Entry>(most);
  /** When a process accepted a certificate last. */
  const accepting = new LruMap<string, number>(most);
  const keyOf = ({ path, process, script, user }: HandshakeClient, host: string): string =>
    [path ?? process, script, user, host].join('\n');
  const processOf = (client: HandshakeClient, host: string): string =>
    `${client.pid}\n${keyOf(client, host)}`;
  const hasAccepted = (client: HandshakeClient, host: string): boolean =>
    client.pid !== null && now() - (accepting.peek(processOf(client, host)) ?? -Infinity) < forMs;

  return {
    has: (client, host) => {
      const entry = known.peek(keyOf(client, host));
      return entry !== undefined && entry.until > now();
    },
    recordFailure: (client, host, end) => {
      if (end === 'closed' && hasAccepted(client, host)) return false;
      const key = keyOf(client, host);
      const earlier = known.peek(key);
      const closed = (earlier?.closed ?? 0) + 1;
      const refuses = end === 'alert' || closed >= 2;
      const { process, path, script = null, pid } = client;
      const until = refuses ? now() + forMs : 0;
      const since = earlier?.since ?? now();
      known.set(key, { process, path, script, pid, host, closed, until, since });
      return refuses;
    },
    accepted: (client, host) => {
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

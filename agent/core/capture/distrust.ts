import type { ClientProcess } from './decision.ts';

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

export interface Distrust {
  /** Does this client, as far as is known, refuse our certificates for the host? */
  has(client: HandshakeClient, host: string): boolean;
  /** Its handshake failed. Answers whether it counts as refusing from now on. */
  note(client: HandshakeClient, host: string, end: HandshakeEnd): boolean;
  /** It has accepted one. */
  accepted(client: HandshakeClient, host: string): void;
  /** Who refuses them now, the latest last. */
  list(): Refusal[];
}

/** A program that does not accept our certificates for a host. */
export interface Refusal extends ClientProcess {
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

interface Entry extends Refusal {
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
export function createDistrust({ now, forMs = 3_600_000, most = 1000 }: DistrustOptions): Distrust {
  const known = new Map<string, Entry>();
  /** When a process accepted a certificate last. */
  const accepting = new Map<string, number>();
  const keyOf = ({ path, process, script, user }: HandshakeClient, host: string): string =>
    [path ?? process, script, user, host].join('\n');
  const processOf = (client: HandshakeClient, host: string): string =>
    `${client.pid}\n${keyOf(client, host)}`;
  const hasAccepted = (client: HandshakeClient, host: string): boolean =>
    client.pid !== null && now() - (accepting.get(processOf(client, host)) ?? -Infinity) < forMs;

  return {
    has: (client, host) => {
      const entry = known.get(keyOf(client, host));
      return entry !== undefined && entry.until > now();
    },
    note: (client, host, end) => {
      if (end === 'closed' && hasAccepted(client, host)) return false;
      const key = keyOf(client, host);
      const earlier = known.get(key);
      const closed = (earlier?.closed ?? 0) + 1;
      const refuses = end === 'alert' || closed >= 2;
      const { process, path, script = null, pid } = client;
      const until = refuses ? now() + forMs : 0;
      const since = earlier?.since ?? now();
      remember(known, key, { process, path, script, pid, host, closed, until, since }, most);
      return refuses;
    },
    accepted: (client, host) => {
      const key = keyOf(client, host);
      if (known.get(key)?.pid === client.pid) known.delete(key);
      remember(accepting, processOf(client, host), now(), most);
    },
    list: () =>
      [...known.values()]
        .filter(({ until }) => until > now())
        .map(({ process, path, script, host, since }) => ({ process, path, script, host, since })),
  };
}

/** The latest only, at most so many. */
function remember<V>(entries: Map<string, V>, key: string, value: V, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}

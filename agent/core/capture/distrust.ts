import type { ClientProcess } from './decision.ts';

/** How a client ended the handshake after it was shown our certificate. */
export type HandshakeEnd = 'alert' | 'closed';

/** Programs are known by their path; it is a process that was seen to accept a certificate. */
export interface HandshakeClient extends ClientProcess {
  pid: number | null;
}

export interface Distrust {
  /** Does this client, as far as is known, refuse our certificates for the host? */
  has(client: HandshakeClient, host: string): boolean;
  /** Its handshake failed. Answers whether it counts as refusing from now on. */
  note(client: HandshakeClient, host: string, end: HandshakeEnd): boolean;
  /** Its handshake succeeded. */
  forget(client: HandshakeClient, host: string): void;
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
 * says so; Node and others close the connection without one, as does a client that is just stopped:
 * closing counts when it happens twice, unless the process that closed is seen to accept one.
 *
 * Another process of the same program says nothing for it: of two scripts that the same interpreter
 * runs, one may know the root and the other not, which has to work.
 */
export function createDistrust({ now, forMs = 3_600_000, most = 1000 }: DistrustOptions): Distrust {
  const known = new Map<string, Entry>();
  const keyOf = (client: ClientProcess, host: string): string =>
    `${client.path ?? client.process ?? ''}\n${host}`;

  return {
    has: (client, host) => {
      const entry = known.get(keyOf(client, host));
      return entry !== undefined && entry.until > now();
    },
    note: (client, host, end) => {
      const key = keyOf(client, host);
      const earlier = known.get(key);
      const closed = (earlier?.closed ?? 0) + 1;
      const refuses = end === 'alert' || closed >= 2;
      const { process, path, pid } = client;
      const until = refuses ? now() + forMs : 0;
      known.delete(key);
      known.set(key, { process, path, pid, host, closed, until, since: earlier?.since ?? now() });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
      return refuses;
    },
    forget: (client, host) => {
      const key = keyOf(client, host);
      if (known.get(key)?.pid === client.pid) known.delete(key);
    },
    list: () =>
      [...known.values()]
        .filter(({ until }) => until > now())
        .map(({ process, path, host, since }) => ({ process, path, host, since })),
  };
}

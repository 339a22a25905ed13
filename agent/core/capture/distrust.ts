import type { ClientProcess } from './decision.ts';

/** How a client ended the handshake after it was shown our certificate. */
export type HandshakeEnd = 'alert' | 'closed';

/**
 * Programs are known by their path, and by the script where that is an interpreter's; it is a process
 * that was seen to accept a certificate.
 */
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
}

export interface DistrustOptions {
  now: () => number;
  /** How long a client is passed through, in ms. It may come to trust the root meanwhile. */
  forMs?: number;
  /** The most pairs of a process and a host that are remembered. */
  most?: number;
}

interface Entry {
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
 * Another process of the same program says nothing for it: started in another way, one may know the
 * root and the other not, which has to work.
 */
export function createDistrust({ now, forMs = 3_600_000, most = 1000 }: DistrustOptions): Distrust {
  const known = new Map<string, Entry>();
  const keyOf = (client: ClientProcess, host: string): string =>
    [client.path ?? client.process, client.script, host].join('\n');

  return {
    has: (client, host) => {
      const entry = known.get(keyOf(client, host));
      return entry !== undefined && entry.until > now();
    },
    note: (client, host, end) => {
      const key = keyOf(client, host);
      const closed = (known.get(key)?.closed ?? 0) + 1;
      const refuses = end === 'alert' || closed >= 2;
      known.delete(key);
      known.set(key, { closed, until: refuses ? now() + forMs : 0, pid: client.pid });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
      return refuses;
    },
    forget: (client, host) => {
      const key = keyOf(client, host);
      if (known.get(key)?.pid === client.pid) known.delete(key);
    },
  };
}

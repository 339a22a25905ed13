/** One request over HTTP. */
export interface Outgoing {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
  /** Nobody waits for it: where the platform allows that, a process may end before it is answered. */
  background: boolean;
}

export interface Incoming {
  status: number;
  header: (name: string) => string | null;
  text: string;
}

/** Answers whatever the server does, without following redirects: they would carry the key away. */
export type Transport = (outgoing: Outgoing) => Promise<Incoming>;

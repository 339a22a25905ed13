import { fetchTransport } from './fetch-transport.ts';
import { nodeTransport } from './node-transport.ts';

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

/**
 * Node's fetch keeps a process alive for as long as a request is under way, and cannot be told not
 * to; its `http` can. Bun, Deno and edge runtimes, which only resemble Node there, have fetch.
 */
export function chooseTransport(): Transport {
  const { process } = globalThis;
  const { uv, bun, deno } = process?.versions ?? {};
  const isNode = Boolean(uv) && !bun && !deno && typeof process.getBuiltinModule === 'function';
  return isNode ? nodeTransport(process) : fetchTransport;
}

import { fetchTransport } from './fetch-transport.ts';
import { nodeTransport } from './node-transport.ts';

import type { Transport } from './transport.ts';

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

import type { Transport } from './transport.ts';
import { nodeTransport } from './node-transport.ts';

export const fetchTransport: Transport = async ({ url, method, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal,
  });
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    text: await response.text(),
  };
};

/**
 * Chooses `node:http` on Node, because requests of Node's fetch cannot be unref'ed and keep the
 * process alive. Bun, Deno and edge runtimes use fetch.
 */
export function chooseTransport(): Transport {
  const { process } = globalThis;
  const { uv, bun, deno } = process?.versions ?? {};
  const isNode = Boolean(uv) && !bun && !deno && typeof process.getBuiltinModule === 'function';
  return isNode ? nodeTransport(process) : fetchTransport;
}

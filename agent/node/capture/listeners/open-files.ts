import { readFileSync } from 'node:fs';
import { tryOrUndefined } from '../../try-or-undefined.ts';

/** The descriptors for everything but redirected connections: files, threads, children, uploads. */
const RESERVED = 64;
/** A connection needs one descriptor for each side, and one more while it looks for its process. */
const PER_CONNECTION = 3;

/** More than all programs of a computer open through the proxy. */
const MAX_PROXY_CONNECTIONS = 1000;

/**
 * Returns how many connections this process can relay with its limit of open files. A connection that
 * it cannot accept would break off. The proxy has a share of its own: any user of the computer can
 * connect to it, as often as they like, and must not take the files of redirected connections.
 */
export function maxConnections(limit = openFilesLimit()): { redirected: number; proxy: number } {
  const all = Math.max(0, Math.floor((limit - RESERVED) / PER_CONNECTION));
  const proxy = Math.min(MAX_PROXY_CONNECTIONS, Math.floor(all / 4));
  return { redirected: all - proxy, proxy };
}

/** Node has raised it as far as it may. On macOS it is not known. */
function openFilesLimit(): number {
  const limits = tryOrUndefined(() => readFileSync('/proc/self/limits', 'utf8'));
  const [, limit] = /^Max open files\s+(\d+)/m.exec(limits ?? '') ?? [];
  return limit === undefined ? Infinity : Number(limit);
}

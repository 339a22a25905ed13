import { readFileSync } from 'node:fs';

/** The descriptors for everything but redirected connections: files, threads, children, uploads. */
const RESERVED = 64;
/** A connection needs one descriptor for each side, and one more while it looks for its process. */
const PER_CONNECTION = 3;

/**
 * Returns how many connections this process can relay with its limit of open files. A connection that
 * it cannot accept would break off.
 */
export function maxConnections(limit = openFilesLimit()): number {
  return Math.max(0, Math.floor((limit - RESERVED) / PER_CONNECTION));
}

/** Node has raised it as far as it may. */
function openFilesLimit(): number {
  const [, limit] =
    /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === undefined ? Infinity : Number(limit);
}

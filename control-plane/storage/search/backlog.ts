import type { Indexed } from './indexer-thread.ts';
import type { SearchLag } from './search-index.ts';

/** Calls that were recorded at about the same time. */
interface Waiting {
  lastId: number;
  calls: number;
  since: number;
}

const TOGETHER_MS = 1000;
/** The age at which a transaction has certainly been committed or rolled back. */
const COMMITTED_MS = 10_000;

/**
 * Counts the calls that are not indexed yet, in memory, because on SQLite one process records them
 * all. A group that is partially indexed counts in full.
 */
export function createBacklog() {
  const byTenant = new Map<string, Waiting[]>();
  /** Calls of any tenant that were unindexed when the process started. */
  let initial: Waiting | undefined;

  const sum = (parts: readonly Waiting[], now: number): SearchLag => ({
    calls: parts.reduce((total, { calls }) => total + calls, 0),
    seconds: parts.reduce((longest, { since }) => Math.max(longest, (now - since) / 1000), 0),
  });
  return {
    start(indexedId: number, newestId: number, now: number): void {
      if (newestId > indexedId)
        initial = { lastId: newestId, calls: newestId - indexedId, since: now };
    },
    add(tenantId: string, callIds: readonly number[], now: number): void {
      const parts = byTenant.get(tenantId) ?? [];
      byTenant.set(tenantId, parts);
      const last = parts.at(-1);
      const lastId = callIds.reduce((a, b) => Math.max(a, b), 0);
      if (last && now - last.since < TOGETHER_MS) {
        last.lastId = Math.max(last.lastId, lastId);
        last.calls += callIds.length;
      } else parts.push({ lastId, calls: callIds.length, since: now });
    },
    indexed({ lastId, isAll }: Pick<Indexed, 'lastId' | 'isAll'>, now: number): void {
      const waits = (part: Waiting): boolean =>
        part.lastId > lastId && !(isAll && now - part.since > COMMITTED_MS);
      if (initial && !waits(initial)) initial = undefined;
      for (const [tenantId, parts] of byTenant) {
        const waiting = parts.filter(waits);
        if (waiting.length > 0) byTenant.set(tenantId, waiting);
        else byTenant.delete(tenantId);
      }
    },
    lag(tenantId: string | undefined, now: number): SearchLag {
      const parts =
        tenantId === undefined ? [...byTenant.values()].flat() : (byTenant.get(tenantId) ?? []);
      return sum(initial ? [initial, ...parts] : parts, now);
    },
  };
}

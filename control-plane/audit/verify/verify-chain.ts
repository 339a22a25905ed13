import type { Db } from '../../storage/open.ts';
import { type ChainEntry, FIRST_HASH, hashOf, isSealed } from '../chain.ts';
import { findHead } from '../queries.ts';
import { hasHash, inSnapshot, listEntriesAfter, type Reader } from './verify-queries.ts';

/** The first entry that differs from what was written. */
export interface ChainBreak {
  sequence: number;
  /** Null if the entry is missing. */
  id: string | null;
  problem: 'changed' | 'missing' | 'reordered' | 'cut off' | 'head changed' | 'gone';
}

/** The result of verifying a log: intact, or the place where it first breaks. */
export type Verdict = { entries: number; hash: string } | { broken: ChainBreak };

interface Chain {
  db: Db;
  key: Uint8Array;
  tenantId: string;
}

interface Link {
  sequence: number;
  hash: string;
}

const ENTRIES_AT_ONCE = 1000;

/** Verifies the chain of a tenant from its first entry to its head, in constant memory. */
export const verifyChain = (reader: Reader, key: Uint8Array, tenantId: string): Promise<Verdict> =>
  inSnapshot(reader, async (db) => {
    const chain = { db, key, tenantId };
    let last: Link = { sequence: 0, hash: FIRST_HASH };
    for (;;) {
      const entries = await listEntriesAfter(db, tenantId, last.sequence, ENTRIES_AT_ONCE);
      for (const entry of entries) {
        const broken = await breakAt(chain, last, entry);
        if (broken) return { broken };
        last = entry;
      }
      if (entries.length < ENTRIES_AT_ONCE) break;
    }
    const broken = await breakAtEnd(chain, last);
    return broken ? { broken } : { entries: last.sequence, hash: last.hash };
  });

async function breakAt(
  chain: Chain,
  last: Link,
  entry: ChainEntry,
): Promise<ChainBreak | undefined> {
  const expected = last.sequence + 1;
  if (entry.sequence !== expected) return { sequence: expected, id: null, problem: 'missing' };
  const at = { sequence: entry.sequence, id: entry.id };
  if (hashOf(chain.key, entry) !== entry.hash) return { ...at, problem: 'changed' };
  if (entry.previous_hash === last.hash) return undefined;
  // The entry itself is intact, but its previous hash does not match the entry before it.
  const isElsewhere =
    entry.previous_hash === FIRST_HASH ||
    (await hasHash(chain.db, chain.tenantId, entry.previous_hash));
  return isElsewhere
    ? { ...at, problem: 'reordered' }
    : { sequence: expected, id: null, problem: 'missing' };
}

/**
 * Checks the head, which records where the log ended at the last write. It always exists, because
 * every tenant is created with a first entry.
 */
async function breakAtEnd(
  { db, key, tenantId }: Chain,
  last: Link,
): Promise<ChainBreak | undefined> {
  const head = await findHead(db, tenantId);
  const at = { sequence: last.sequence, id: null };
  if (!head && last.sequence === 0) return { ...at, problem: 'gone' };
  if (!head || !isSealed(key, head)) return { ...at, problem: 'head changed' };
  if (head.sequence > last.sequence)
    return { sequence: last.sequence + 1, id: null, problem: 'cut off' };
  return head.hash === last.hash ? undefined : { ...at, problem: 'head changed' };
}

import { setImmediate } from 'node:timers/promises';
import type { Db } from '../storage/open.ts';
import { type FactScope, factsBefore } from './recall-queries.ts';
import {
  bestFacts,
  fromBytes,
  hasTags,
  type Ranked,
  scored,
  similarityOf,
  unitVector,
} from './recall-rules.ts';

// 100 facts take 0.6 MB, and only these and the best ones are in memory at a time. The batch is
// small, because comparing it blocks the event loop.
const FACTS_PER_BATCH = 100;
const MAX_FACTS = 10_000;

interface RecallQuery {
  embedding: readonly number[];
  tags: readonly string[];
  limit: number;
}

export interface Recalled {
  ranked: Ranked[];
  searched: number;
  /** False if the scope has older facts that were not searched. */
  complete: boolean;
}

/**
 * Returns the best matching facts of a scope. If the scope has more than `most`, only the newest
 * are searched.
 */
export async function recall(
  db: Db,
  scope: FactScope,
  query: RecallQuery,
  most = MAX_FACTS,
): Promise<Recalled> {
  const target = unitVector(query.embedding);
  let ranked: Ranked[] = [];
  let searched = 0;
  let before: string | undefined;
  for (;;) {
    const facts = await factsBefore(db, scope, before, FACTS_PER_BATCH);
    const scores = facts
      .filter(({ tags }) => hasTags(JSON.parse(tags) as string[], query.tags))
      .map(({ id, importance, embedding }) =>
        scored({ id, importance, similarity: similarityOf(fromBytes(embedding), target) }),
      );
    ranked = bestFacts([...ranked, ...scores], query.limit);
    searched += facts.length;
    before = facts.at(-1)?.id;
    if (facts.length < FACTS_PER_BATCH) return { ranked, searched, complete: true };
    if (searched >= most) {
      const older = await factsBefore(db, scope, before, 1);
      return { ranked, searched, complete: older.length === 0 };
    }
    // This lets other requests run during a long search.
    await setImmediate();
  }
}

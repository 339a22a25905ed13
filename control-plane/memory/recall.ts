import { setImmediate } from 'node:timers/promises';
import type { Db } from '../storage/open.ts';
import { type FactScope, factsBefore } from './recall-queries.ts';
import {
  best,
  fromBytes,
  hasTags,
  type Ranked,
  scored,
  similarityOf,
  unitVector,
} from './recall-rules.ts';

// 100 facts are 0.6 MB: that much of a scope, and the best so far, are in memory at a time. Small,
// because nothing else is answered while they are compared.
const FACTS_AT_ONCE = 100;
const MOST_FACTS = 10_000;

interface RecallQuery {
  embedding: readonly number[];
  tags: readonly string[];
  limit: number;
}

export interface Recalled {
  ranked: Ranked[];
  searched: number;
  /** False when the scope has older facts that were not looked at. */
  complete: boolean;
}

/** The facts of a scope that answer best. Of a scope with more than `most` the newest count. */
export async function recall(
  db: Db,
  scope: FactScope,
  question: RecallQuery,
  most = MOST_FACTS,
): Promise<Recalled> {
  const wanted = unitVector(question.embedding);
  let ranked: Ranked[] = [];
  let searched = 0;
  let before: string | undefined;
  for (;;) {
    const facts = await factsBefore(db, scope, before, FACTS_AT_ONCE);
    const scores = facts
      .filter(({ tags }) => hasTags(JSON.parse(tags) as string[], question.tags))
      .map(({ id, importance, embedding }) =>
        scored({ id, importance, similarity: similarityOf(fromBytes(embedding), wanted) }),
      );
    ranked = best([...ranked, ...scores], question.limit);
    searched += facts.length;
    before = facts.at(-1)?.id;
    if (facts.length < FACTS_AT_ONCE) return { ranked, searched, complete: true };
    if (searched >= most) {
      const older = await factsBefore(db, scope, before, 1);
      return { ranked, searched, complete: older.length === 0 };
    }
    // A long search lets other requests go in between.
    await setImmediate();
  }
}

import { phrasesOf } from '../storage/search/word-rules.ts';
import type { Storage } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';

/** The maximum number of calls whose runs are looked up, latest first. */
const MAX_CALLS = 50_000;

interface Found {
  /** Undefined if the list is not searched. */
  ids: readonly number[] | undefined;
  incomplete: boolean;
}

/** Finds the runs with an LLM call that matches the search. */
export async function findRuns(storage: Storage, tenantId: string, search = ''): Promise<Found> {
  if (search.trim() === '') return { ids: undefined, incomplete: false };
  const phrases = phrasesOf(search);
  // A search without words matches nothing.
  if (phrases.length === 0) return { ids: [], incomplete: false };
  const complete = await storage.search.catchUp(tenantId);
  return storage.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      const matches = await storage.search.find(db, tenantId, phrases);
      const calls: number[] = [];
      for (const segment of matches.toSorted((a, b) => b.last_at - a.last_at)) {
        if (calls.length >= MAX_CALLS) break;
        const { id } = await segment.load(['id']);
        calls.push(...id);
      }
      const total = matches.reduce((sum, { count }) => sum + count, 0);
      const rows = await db
        .selectFrom('llm_calls')
        .select('run_id')
        .distinct()
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', valueList(calls))
        .execute();
      return {
        ids: rows.map(({ run_id }) => run_id),
        incomplete: !complete || calls.length < total,
      };
    });
}

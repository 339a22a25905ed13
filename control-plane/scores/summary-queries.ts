import { sql } from 'kysely';
import { bucketLength } from '../lib/bucket-length.ts';
import type { Db } from '../storage/open.ts';
import { type ScoreSelection, selectedScores } from './queries.ts';

/** Returns the scores by time. Only an index is read unless the filter needs the rows. */
export async function summarizeScores(db: Db, tenantId: string, filter: ScoreSelection) {
  const scores = () => selectedScores(db, tenantId, filter);
  const ends = await scores()
    .select(({ fn }) => [
      fn.min<number | null>('created_at').as('first'),
      fn.max<number | null>('created_at').as('last'),
    ])
    .executeTakeFirst();
  const first = ends?.first ?? null;
  const last = ends?.last ?? null;
  if (first === null || last === null) return { length: 0, buckets: [] };
  const length = bucketLength(first, last);
  const bucket = sql<number>`created_at - created_at % ${sql.lit(length)}`;
  const buckets = await scores()
    .select(({ fn }) => [
      bucket.as('start'),
      fn.countAll<number>().as('scores'),
      fn.count<number>('numeric_value').as('numeric_count'),
      fn.coalesce(fn.sum<number>('numeric_value'), sql.lit(0)).as('numeric_sum'),
    ])
    .groupBy(bucket)
    .orderBy(bucket)
    .execute();
  return { length, buckets };
}

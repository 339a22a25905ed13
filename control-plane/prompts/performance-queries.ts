import { sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';

/** The calls of these contents since a time, divided into parts of this length in milliseconds. */
export interface Extent {
  tenant_id: string;
  hashes: readonly string[];
  since: number;
  /** 0 if all calls are in one part. */
  bucket: number;
}

/** Returns the number of the part that contains a time. */
const partOf = (column: string, bucket: number) =>
  bucket === 0 ? sql<number>`0` : sql<number>`${sql.ref(column)} / ${sql.lit(bucket)}`;

/**
 * Selects calls from the index of the calls of prompt versions, whose condition must be a literal.
 */
const callsOf = (db: Db, { tenant_id, hashes, since }: Extent) =>
  db
    .selectFrom('llm_calls as c')
    .where('c.tenant_id', '=', tenant_id)
    .where('c.prompt_hash', 'in', valueList(hashes))
    .where('c.created_at', '>=', since)
    .where((eb) => eb('c.prompt_counted', '=', eb.lit(1)));

export function sumCalls(db: Db, extent: Extent) {
  const part = partOf('c.created_at', extent.bucket);
  return callsOf(db, extent)
    .innerJoin('runs as r', (join) =>
      join.onRef('r.tenant_id', '=', 'c.tenant_id').onRef('r.id', '=', 'c.run_id'),
    )
    .select(({ fn }) => [
      'c.prompt_hash as content_hash',
      part.as('part'),
      fn.countAll<number>().as('call_count'),
      sql<number>`sum(case when r.status = 'error' or c.finish_reason = 'error' then 1 else 0 end)`.as(
        'failed_count',
      ),
      fn.sum<number>('c.total_tokens').as('total_tokens'),
      fn.sum<number>('c.cost').as('total_cost'),
    ])
    .groupBy(['c.prompt_hash', 'part'])
    .execute();
}

/**
 * Finds the smallest duration that a share of the calls did not exceed, exactly and without
 * interpolation.
 */
export function findPercentiles(db: Db, extent: Extent) {
  const part = partOf('c.created_at', extent.bucket);
  const within = sql`(partition by c.prompt_hash, ${part})`;
  const ranked = callsOf(db, extent)
    .where('c.duration_ms', 'is not', null)
    .select([
      'c.prompt_hash as content_hash',
      part.as('part'),
      'c.duration_ms as ms',
      sql<number>`row_number() over (partition by c.prompt_hash, ${part} order by c.duration_ms)`.as(
        'rank',
      ),
      sql<number>`count(*) over ${within}`.as('total'),
    ]);
  const percentile = (share: number) =>
    sql<number>`min(case when rank >= ${sql.lit(share)} * total then ms end)`;
  return db
    .selectFrom(ranked.as('ranked'))
    .select([
      'content_hash',
      'part',
      percentile(0.5).as('latency_p50'),
      percentile(0.95).as('latency_p95'),
    ])
    .groupBy(['content_hash', 'part'])
    .execute();
}

/**
 * Averages the scores of the calls, and the scores of their runs as a whole. The latter count in
 * the part that contains the first call of the run. Categories have no average.
 */
export function averageScores(db: Db, extent: Extent) {
  const part = partOf('c.created_at', extent.bucket);
  const value = sql<number>`case when s.data_type = 'boolean'
    then case when s.string_value = 'true' then 1.0 else 0.0 end
    else s.numeric_value end`;
  const ofCalls = callsOf(db, extent)
    .innerJoin('scores as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'c.tenant_id')
        .onRef('s.run_id', '=', 'c.run_id')
        .onRef('s.llm_call_id', '=', 'c.id'),
    )
    .where('s.data_type', '!=', 'categorical')
    .select(['c.prompt_hash as content_hash', part.as('part'), 's.name', value.as('value')]);
  const runs = callsOf(db, extent)
    .select(({ fn }) => [
      'c.tenant_id',
      'c.prompt_hash as content_hash',
      'c.run_id',
      fn.min('c.created_at').as('created_at'),
    ])
    .groupBy(['c.tenant_id', 'c.prompt_hash', 'c.run_id']);
  const ofRuns = db
    .selectFrom(runs.as('r'))
    .innerJoin('scores as s', (join) =>
      join.onRef('s.tenant_id', '=', 'r.tenant_id').onRef('s.run_id', '=', 'r.run_id'),
    )
    .where('s.llm_call_id', 'is', null)
    .where('s.data_type', '!=', 'categorical')
    .select([
      'r.content_hash',
      partOf('r.created_at', extent.bucket).as('part'),
      's.name',
      value.as('value'),
    ]);
  return db
    .selectFrom(ofCalls.unionAll(ofRuns).as('scored'))
    .where('value', 'is not', null)
    .select(({ fn }) => [
      'content_hash',
      'part',
      'name',
      fn.count<number>('value').as('count'),
      fn.avg<number>('value').as('avg'),
    ])
    .groupBy(['content_hash', 'part', 'name'])
    .orderBy('name')
    .execute();
}

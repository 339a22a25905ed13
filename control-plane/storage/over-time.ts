import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { MAX_OVER_TIME } from '#contract/over-time.ts';
import { bucketLength } from '../lib/bucket-length.ts';
import type { Db } from './open.ts';

export interface OverTime {
  count: number;
  /** False if only the latest rows are counted. */
  complete: boolean;
  bucket_seconds: number;
  buckets: { start: number; count: number }[];
}

/** Rows, and the time column by which they are counted. */
interface Timed<DB, TB extends keyof DB> {
  rows: SelectQueryBuilder<DB, TB, object>;
  at: string;
}

const none: OverTime = { count: 0, complete: true, bucket_seconds: 0, buckets: [] };

/** Counts rows that an index holds in order of time: each bucket is a range of the index. */
export async function countInRanges<DB, TB extends keyof DB>(
  db: Db,
  { rows, at }: Timed<DB, TB>,
): Promise<OverTime> {
  const column = sql.ref<number>(at);
  const timeOf = async (direction: 'asc' | 'desc', offset: number) => {
    const query = rows.select(column.as('at')).orderBy(column, direction).limit(1).offset(offset);
    const found = await sql<{ at: number }>`select at from (${query}) as found`.execute(db);
    return found.rows[0]?.at;
  };
  const [last, before] = await Promise.all([timeOf('desc', 0), timeOf('desc', MAX_OVER_TIME)]);
  if (last === undefined) return none;
  const counted = before === undefined ? rows : rows.where(column, '>', before);
  const first = before === undefined ? await timeOf('asc', 0) : before + 1;
  const length = bucketLength(first ?? last, last);
  const startOf = (time: number) => time - (time % length);
  const start = sql.ref<number>('bucket.start');
  const inBucket = counted
    .where(column, '>=', start)
    .where(column, '<', sql<number>`${start} + ${sql.lit(length)}`)
    .select(({ fn }) => fn.countAll<number>().as('count'));
  const { rows: buckets } = await sql<OverTime['buckets'][number]>`
    with recursive bucket (start) as (
      select ${bigintLiteral(startOf(first ?? last))}
      union all
      select start + ${sql.lit(length)} from bucket where start < ${bigintLiteral(startOf(last))}
    )
    select start, (${inBucket}) as count from bucket order by start`.execute(db);
  return overTimeOf(buckets, length, before === undefined);
}

/** PostgreSQL takes a number beyond 32 bits as a decimal unless it is cast to an integer. */
const bigintLiteral = (time: number): RawBuilder<number> => sql`cast(${sql.lit(time)} as bigint)`;

/** Counts rows that no index holds in order of time; it reads them twice. */
export async function countByBucket<DB, TB extends keyof DB>(
  db: Db,
  { rows, at }: Timed<DB, TB>,
): Promise<OverTime> {
  const times = rows.select(sql.ref<number>(at).as('at'));
  const ends = await sql<{ first: number | null; last: number | null }>`
    select min(at) as first, max(at) as last from (${times}) as found`.execute(db);
  const { first = null, last = null } = ends.rows[0] ?? {};
  if (first === null || last === null) return none;
  const length = bucketLength(first, last);
  const { rows: buckets } = await sql<OverTime['buckets'][number]>`
    select at - at % ${sql.lit(length)} as start, count(*) as count
    from (${times}) as found group by 1 order by 1`.execute(db);
  return overTimeOf(buckets, length, true);
}

function overTimeOf(found: OverTime['buckets'], length: number, complete: boolean): OverTime {
  const buckets = found.filter(({ count }) => count > 0);
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  return { count, complete, bucket_seconds: length / 1000, buckets };
}

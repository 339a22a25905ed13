import { sql } from 'kysely';
import { HOUR_MS } from '#lib/time-units.ts';
import { bucketLength } from '../lib/bucket-length.ts';
import type { Phrase } from '../storage/search/word-rules.ts';
import type { Db, Storage } from '../storage/open.ts';
import { callsOf } from './call-filter-queries.ts';
import { withLookedUp } from './looked-up-queries.ts';
import {
  type CallBucket,
  type CallFilter,
  type CallSummary,
  type FoundSummary,
  type HourRange,
  needsScan,
  splitHours,
  type TimeRange,
} from './rules.ts';
import { bucketsOfMatches } from './search-summary.ts';

export interface SummaryFilter extends CallFilter {
  /** Phrases that must all be in the call. */
  phrases?: readonly Phrase[] | undefined;
}

/** Returns the calls by time, from one snapshot. */
export function summarizeCalls(
  storage: Storage,
  tenantId: string,
  { phrases, ...filter }: SummaryFilter,
): Promise<FoundSummary> {
  return storage.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      if (!phrases) return { ...(await summarized(db, tenantId, filter)), isCut: false };
      const matches = await storage.search.find(db, tenantId, phrases);
      const found = await withLookedUp(db, tenantId, matches, filter);
      return { ...(await bucketsOfMatches(matches, found.filter)), isCut: found.isCut };
    });
}

interface Parts {
  /** The hours that are read from the stored totals. */
  hours?: HourRange;
  /** The ranges that are read call by call. */
  edges: TimeRange[];
}

async function summarized(db: Db, tenantId: string, filter: CallFilter): Promise<CallSummary> {
  const whole = { edges: [{ start: filter.start, end: filter.end }] };
  const parts: Parts = needsScan(filter) ? whole : splitHours(filter);
  const ends = await endsOf(db, tenantId, filter, parts);
  if (!ends) return { length: 0, buckets: [] };
  const length = bucketLength(ends.first, ends.last);
  // Stored totals cover whole hours only, and a range this short has few calls.
  const { hours, edges } = length < HOUR_MS ? { ...whole, hours: undefined } : parts;
  const found = hours ? await bucketsOfHours(db, tenantId, { ...filter, hours, length }) : [];
  for (const edge of edges)
    found.push(...(await bucketsOfCalls(db, tenantId, { ...filter, ...edge }, length)));
  return { length, buckets: merged(found) };
}

interface Ends {
  first: number | null;
  last: number | null;
}

/** Returns the times of the first and the last call. Those from stored totals cover whole hours. */
async function endsOf(db: Db, tenantId: string, filter: CallFilter, { hours, edges }: Parts) {
  const found: (Ends | undefined)[] = [];
  if (hours) {
    const row = await hoursOf(db, tenantId, { ...filter, hours })
      .where('call_count', '>', 0)
      .select(({ fn }) => [
        fn.min<number | null>('hour').as('first'),
        fn.max<number | null>('hour').as('last'),
      ])
      .executeTakeFirst();
    found.push({
      first: typeof row?.first === 'number' ? row.first * HOUR_MS : null,
      last: typeof row?.last === 'number' ? (row.last + 1) * HOUR_MS - 1 : null,
    });
  }
  for (const edge of edges)
    found.push(
      await callsOf(db, tenantId, { ...filter, ...edge })
        .select(({ fn }) => [
          fn.min<number | null>('created_at').as('first'),
          fn.max<number | null>('created_at').as('last'),
        ])
        .executeTakeFirst(),
    );
  const times = found.flatMap((ends) => [ends?.first ?? null, ends?.last ?? null]);
  const known = times.filter((time) => time !== null);
  if (known.length === 0) return undefined;
  return { first: Math.min(...known), last: Math.max(...known) };
}

interface OfHours extends CallFilter {
  hours: HourRange;
}

function hoursOf(db: Db, tenantId: string, { agent, model, hours: { from, to } }: OfHours) {
  let hours = db
    .selectFrom('model_hours')
    .where('tenant_id', '=', tenantId)
    // The empty name holds the totals of all agents.
    .where('agent_name', '=', agent || '');
  if (from !== undefined) hours = hours.where('hour', '>=', from);
  if (to !== undefined) hours = hours.where('hour', '<', to);
  if (model?.length) hours = hours.where('model', 'in', model);
  return hours;
}

async function bucketsOfHours(
  db: Db,
  tenantId: string,
  { length, ...filter }: OfHours & { length: number },
): Promise<CallBucket[]> {
  const first = sql<number>`hour - hour % ${sql.lit(length / HOUR_MS)}`;
  const rows = await hoursOf(db, tenantId, filter)
    .where('call_count', '>', 0)
    .select(({ fn }) => [
      first.as('first'),
      fn.sum<number>('call_count').as('calls'),
      fn.sum<number>('total_tokens').as('tokens'),
      fn.sum<number>('total_cost').as('cost'),
    ])
    .groupBy(first)
    .execute();
  return rows.map(({ first, ...sums }) => ({ start: first * HOUR_MS, ...sums }));
}

function bucketsOfCalls(
  db: Db,
  tenantId: string,
  filter: CallFilter,
  length: number,
): Promise<CallBucket[]> {
  const start = sql<number>`created_at - created_at % ${sql.lit(length)}`;
  return callsOf(db, tenantId, filter)
    .select(({ fn }) => [
      start.as('start'),
      fn.countAll<number>().as('calls'),
      fn.sum<number>('total_tokens').as('tokens'),
      fn.sum<number>('cost').as('cost'),
    ])
    .groupBy(start)
    .execute();
}

/** Merges buckets, since a bucket may have calls in several parts. */
function merged(found: readonly CallBucket[]): CallBucket[] {
  const buckets = new Map<number, CallBucket>();
  for (const { start, calls, tokens, cost } of found) {
    const bucket = buckets.get(start) ?? { start, calls: 0, tokens: 0, cost: 0 };
    bucket.calls += calls;
    bucket.tokens += tokens;
    bucket.cost += cost;
    buckets.set(start, bucket);
  }
  return [...buckets.values()].sort((a, b) => a.start - b.start);
}

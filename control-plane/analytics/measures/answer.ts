import {
  type AnalyticsAnswer,
  type analyticsQuery,
  type Measure,
  units,
} from '#contract/analytics-query.ts';
import { ApiError } from '#contract/errors.ts';
import { roles } from '#contract/route.ts';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { SessionCaller } from '../../http/caller.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { isTimeZone } from '../../lib/calendar.ts';
import type { Db, Storage } from '../../storage/open.ts';
import { listDescendantNames } from '../../tenants/queries.ts';
import { DURATION_PRECISION } from '../../usage/duration-buckets.ts';
import { type Intervals, intervalsOf, type TimeSpan } from './intervals.ts';
import { groupRows, groupRowsByTag, isPercentile, type Aggregation } from './merge-rules.ts';
import { findKeyNames, type MeasuredRows, readMeasure } from './measure-queries.ts';

type Query = z.output<typeof analyticsQuery>;

const DEFAULT_MS = 7 * DAY_MS;
/** The maximum number of intervals. More would be unreadable in a chart, and slow to compute. */
const MAX_INTERVALS = 800;
/** The maximum number of tenants, because each one is read separately. */
const MAX_TENANTS = 50;

const kinds: Record<Measure, Aggregation> = {
  llm_calls: 'count',
  cost: 'cost',
  tokens: 'sum',
  tokens_in: 'sum',
  tokens_out: 'sum',
  tokens_cached: 'sum',
  call_latency_p50: 'p50',
  call_latency_p95: 'p95',
  runs: 'count',
  failed_runs: 'count',
  error_rate: 'average',
  run_duration_p50: 'p50',
  run_duration_p95: 'p95',
  score_average: 'average',
  scores: 'count',
  verdicts: 'count',
};

/** @throws ApiError `validation_error`, `missing_permission` */
export async function answerQuery(
  context: Pick<Context, 'now' | 'storage'>,
  caller: Pick<SessionCaller, 'tenantId' | 'role'>,
  query: Query,
): Promise<AnalyticsAnswer> {
  const at = context.now();
  const span = spanOf(query, at);
  refuse(query, caller, span);
  const previous = { start: Math.max(0, 2 * span.start - span.end), end: span.start };
  const intervals = intervalsOf(query.interval, query.timezone, span);
  // One snapshot makes the groups agree with their total.
  const found = await context.storage.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      const read = measureReader(db, context.storage, caller.tenantId, query);
      const now = await read(span, intervals);
      const before = query.compare
        ? await read(previous, intervalsOf('none', query.timezone, previous))
        : undefined;
      const names = await namesOf(db, caller.tenantId, query);
      return { now, before, names };
    });
  const kind = kinds[query.measure];
  const how = { kind, steps: intervals.spans.length, top: query.top };
  const { now, before, names } = found;
  // Records that were read only partially cannot be compared.
  const isPartial = [now, before].some((one) => one?.partial);
  const rows = { now: now.rows, before: isPartial ? undefined : before?.rows };
  const { total, groups, other } = (query.group_by === 'tag' ? groupRowsByTag : groupRows)(
    rows,
    how,
  );
  const isGrouped = query.group_by !== 'none';
  return {
    at,
    measure: query.measure,
    unit: units[query.measure],
    period: { start: span.start, end: Math.max(span.start, Math.min(span.end, query.end ?? at)) },
    previous: rows.before ? previous : null,
    timezone: query.timezone,
    intervals: [...intervals.spans],
    total,
    groups: isGrouped
      ? groups.map((group) => ({ ...group, label: labelOf(group.key, names) }))
      : [],
    other: isGrouped ? other : null,
    overlapping: query.group_by === 'tag',
    source: now.source,
    precision: isPercentile(kind) ? DURATION_PRECISION : null,
    partial: now.partial ?? before?.partial ?? null,
  };
}

function spanOf({ start, end }: Query, at: number): TimeSpan {
  // Records of the current millisecond are included.
  const until = end ?? at + 1;
  return { start: Math.max(0, start ?? until - DEFAULT_MS), end: until };
}

function refuse(
  { timezone, interval, group_by }: Query,
  { role }: { role: string },
  span: TimeSpan,
) {
  if (!isTimeZone(timezone))
    throw new ApiError('validation_error', `timezone: ${timezone} is not an IANA time zone`);
  const hours = { none: 0, hour: 1, day: 24, week: 7 * 24 }[interval];
  const count = hours === 0 ? 0 : (span.end - span.start) / (hours * 3_600_000);
  if (count > MAX_INTERVALS)
    throw new ApiError(
      'validation_error',
      `interval: the period has more than ${MAX_INTERVALS} of them, choose a longer one`,
    );
  if (group_by === 'tenant' && roles.indexOf(role as 'viewer') < roles.indexOf('admin'))
    throw new ApiError(
      'missing_permission',
      'a comparison of tenants needs the role admin or owner',
    );
}

interface Reading extends Pick<MeasuredRows, 'rows' | 'source'> {
  partial: AnalyticsAnswer['partial'];
}

/**
 * Returns a function that reads the measure of a period. Grouped by tenant, it reads those of the
 * caller and all descendants.
 */
function measureReader(
  db: Db,
  storage: Pick<Storage, 'reader' | 'pairsOf'>,
  tenantId: string,
  query: Query,
) {
  const { measure, group_by, filters } = query;
  return async (span: TimeSpan, intervals: Intervals): Promise<Reading> => {
    const scope = { span, intervals, measure, filters };
    if (group_by !== 'tenant') {
      const { from, ...found } = await readMeasure(db, storage, { ...scope, tenantId, group_by });
      return { ...found, partial: from === undefined ? null : partialFrom(from) };
    }
    const tenants = [tenantId, ...(await listDescendantNames(db, tenantId)).map(({ id }) => id)];
    const all: Reading = { rows: [], source: 'totals', partial: null };
    for (const id of tenants.slice(0, MAX_TENANTS)) {
      const of = { ...scope, tenantId: id, group_by: 'none' as const };
      const { rows, source, from } = await readMeasure(db, storage, of);
      for (const row of rows) all.rows.push({ ...row, name: id });
      if (source === 'records') all.source = source;
      if (from !== undefined) all.partial = partialFrom(Math.max(from, all.partial?.start ?? 0));
    }
    if (tenants.length > MAX_TENANTS) all.partial ??= { start: null, reason: MANY_TENANTS };
    return all;
  };
}

const partialFrom = (start: number) => ({
  start,
  reason: 'the period has more records than one query reads: only the latest are included',
});

const MANY_TENANTS = `only the first ${MAX_TENANTS} tenants are included`;

async function namesOf(
  db: Db,
  tenantId: string,
  { group_by }: Query,
): Promise<ReadonlyMap<string, string>> {
  if (group_by === 'api_key') return findKeyNames(db, tenantId);
  if (group_by !== 'tenant') return new Map();
  const below = await listDescendantNames(db, tenantId);
  return new Map([[tenantId, 'this tenant'], ...below.map(({ id, name }) => [id, name] as const)]);
}

const labelOf = (key: string | null, names: ReadonlyMap<string, string>): string =>
  key === null ? 'none' : (names.get(key) ?? key);

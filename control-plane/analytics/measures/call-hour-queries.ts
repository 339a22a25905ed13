import { type RawBuilder, sql } from 'kysely';
import { HOUR_MS } from '#lib/time-units.ts';
import { familyOf } from '#contract/analytics-query.ts';
import { type HourRange, splitHours } from '../../llm-calls/rules.ts';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import { valueList } from '../../storage/value-list.ts';
import { listHours } from '../hours/count-queries.ts';
import {
  addCounts,
  hourGroupings,
  type HourGrouping,
  isCountedByAgent,
} from '../hours/count-rules.ts';
import { hoursAcrossIntervals, type TimeSpan } from './intervals.ts';
import type { Row } from './merge-rules.ts';
import { type MeasureQuery, intervalIndex } from './record-queries.ts';

/** The stored rows that answer a query: those of one grouping, for one agent or for all agents. */
interface StoredHours {
  grouped_by: HourGrouping;
  agent: string;
  /** Whether a name passes the filter; undefined if all do. */
  passes: ((name: string | null) => boolean) | undefined;
}

const isHourGrouping = (name: string): name is HourGrouping =>
  (hourGroupings as readonly string[]).includes(name);

/**
 * Returns the stored rows for a query; undefined if its grouping and filters require reading the
 * calls.
 */
function storedHoursFor({ measure, group_by, filters }: MeasureQuery): StoredHours | undefined {
  if (familyOf(measure) !== 'calls') return undefined;
  const used = Object.entries(filters).filter(
    ([, value]) => value !== undefined && value.length > 0,
  );
  const groupings = new Set([...used.map(([name]) => name), group_by]);
  groupings.delete('none');
  const [only] = groupings.size === 1 ? groupings : [...groupings].filter((one) => one !== 'agent');
  const grouped_by = only ?? 'agent';
  const isOne = groupings.size <= 1 || (groupings.size === 2 && groupings.has('agent'));
  if (!isOne || !isHourGrouping(grouped_by)) return undefined;
  const wanted = used.find(([name]) => name === grouped_by)?.[1];
  const passes = wanted === undefined ? undefined : passing(grouped_by, [wanted].flat());
  if (groupings.size <= 1) return { grouped_by, agent: '', passes };
  // Grouping by agent with another filter would need the rows of every agent.
  if (!filters.agent || !isCountedByAgent(grouped_by)) return undefined;
  return { grouped_by, agent: filters.agent, passes };
}

function passing(grouping: HourGrouping, wanted: readonly string[]) {
  if (grouping !== 'tag') return (name: string | null) => name !== null && wanted.includes(name);
  return (name: string | null) => {
    const tags = name === null ? [] : (JSON.parse(name) as string[]);
    return wanted.every((tag) => tags.includes(tag));
  };
}

interface CountedRows {
  rows: Row[];
  /** The time ranges that must be read from the calls. */
  rest: TimeSpan[];
  /** The number of calls in these ranges, without the partial hours at the ends. */
  restCalls: number;
}

/** Reads the hourly counts; returns undefined if they cannot answer the query. */
export async function readCallHours(db: Db, scope: MeasureQuery): Promise<CountedRows | undefined> {
  const counted = storedHoursFor(scope);
  if (!counted) return undefined;
  const { hours, edges } = splitHours(scope.span);
  const rest = edges.map(({ start, end }) => ({
    start: start ?? scope.span.start,
    end: end ?? scope.span.end,
  }));
  const { from = 0, to = 0 } = hours ?? {};
  if (from >= to) return { rows: [], rest, restCalls: 0 };
  const cut = new Set(hoursAcrossIntervals(scope.intervals));
  const present = await listHours(db, scope.tenantId, { from, to });
  const [known, unknown] = [true, false].map((wanted) =>
    present.filter(({ hour, is_counted }) => (is_counted && !cut.has(hour)) === wanted),
  ) as [typeof present, typeof present];
  const rows =
    known.length === 0
      ? []
      : await readRows(
          db,
          scope,
          counted,
          known.map(({ hour }) => hour),
        );
  const restCalls = unknown.reduce((sum, { call_count }) => sum + call_count, 0);
  return { rows, rest: [...rest, ...spansOf(unknown, known)], restCalls };
}

/** Returns the hours as spans, which include hours without calls between them. */
function spansOf(
  unknown: readonly { hour: number }[],
  known: readonly { hour: number }[],
): TimeSpan[] {
  const spans: TimeSpan[] = [];
  const all = [
    ...unknown.map(({ hour }) => ({ hour, isKnown: false })),
    ...known.map(({ hour }) => ({ hour, isKnown: true })),
  ].sort((a, b) => a.hour - b.hour);
  let open: TimeSpan | undefined;
  for (const { hour, isKnown } of all)
    if (isKnown) open = undefined;
    else if (open) open.end = (hour + 1) * HOUR_MS;
    else spans.push((open = { start: hour * HOUR_MS, end: (hour + 1) * HOUR_MS }));
  return spans;
}

const sums: Partial<Record<MeasureQuery['measure'], keyof Tables['call_hours']>> = {
  cost: 'total_cost',
  tokens: 'total_tokens',
  tokens_in: 'tokens_in',
  tokens_out: 'tokens_out',
  tokens_cached: 'cache_read_tokens',
};

interface Stored {
  step: number;
  shown: string | null;
  name: string | null;
  durations: string;
  count: number;
  sum: number;
}

async function readRows(
  db: Db,
  scope: MeasureQuery,
  { grouped_by, agent, passes }: StoredHours,
  hours: readonly number[],
): Promise<Row[]> {
  const { measure, group_by } = scope;
  const isTimed = measure.startsWith('call_latency');
  const NO_NAME = sql`cast(null as text)`;
  const column = group_by === grouped_by ? 'name' : 'agent_name';
  const shown = group_by === 'none' ? NO_NAME : sql.ref(column);
  const range: HourRange = { from: hours[0], to: hours.at(-1) };
  const where: RawBuilder<boolean>[] = [
    sql`tenant_id = ${scope.tenantId}`,
    sql`grouped_by = ${grouped_by}`,
    sql`agent_name = ${agent}`,
    sql`hour >= ${range.from}`,
    sql`hour <= ${range.to}`,
    sql`hour in ${valueList(hours)}`,
    ...(isTimed ? [sql<boolean>`durations <> ''`] : []),
  ];
  const { rows } = await sql<Stored>`select
      ${intervalIndex(sql`(hour * ${sql.lit(HOUR_MS)})`, scope.intervals)} as step, ${shown} as shown,
      ${passes ? sql.ref('name') : NO_NAME} as name, ${isTimed ? sql.ref('durations') : sql`''`} as durations,
      ${isTimed ? sql`0` : sql`sum(call_count)`} as count,
      ${isTimed ? sql`0` : sql`sum(${sql.ref(sums[measure] ?? 'call_count')})`} as sum
    from call_hours where ${sql.join(where, sql` and `)}
    ${isTimed ? sql`` : sql`group by 1, 2, 3`}`.execute(db);
  const passed = passes ? rows.filter(({ name }) => passes(name)) : rows;
  if (isTimed) return timedRows(passed);
  return passed.map(({ step, shown: name, count, sum }) => ({
    step,
    name,
    duration: null,
    count,
    sum,
  }));
}

function timedRows(stored: readonly Stored[]): Row[] {
  const rows: Row[] = [];
  const steps = Map.groupBy(stored, ({ step }) => step);
  for (const [step, ofStep] of steps)
    for (const [name, own] of Map.groupBy(ofStep, ({ shown }) => shown)) {
      const counts = new Map<number, number>();
      for (const { durations } of own) addCounts(durations, counts);
      for (const [duration, count] of counts)
        rows.push({ step, name, duration, count, sum: count });
    }
  return rows;
}

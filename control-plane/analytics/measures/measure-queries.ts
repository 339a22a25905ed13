import { sql } from 'kysely';
import { familyOf, type MeasureFamily } from '#contract/analytics-query.ts';
import { verdictsOfChecks } from '../../evaluations/queries.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { DAY_MS } from '#lib/time-units.ts';
import type { Db, Storage } from '../../storage/open.ts';
import type { TimeSpan } from './intervals.ts';
import type { Row } from './merge-rules.ts';
import {
  callsSource,
  runFilterOf,
  readRecords,
  readRuns,
  scoresSource,
  type MeasureQuery,
  intervalIndex,
  verdictsSource,
} from './record-queries.ts';
import { readCallHours } from './call-hour-queries.ts';
import { readTotals, totalsFor } from './total-queries.ts';

/** The maximum number of records that a query reads, which are the latest of its period. */
export const MAX_RECORDS = 400_000;
/** Lower, because the outcomes of a check are parsed from JSON. */
const MAX_CHECKS = 40_000;

export interface MeasuredRows {
  rows: Row[];
  source: 'totals' | 'records';
  /** The time since which the rows are complete; undefined if they cover the whole period. */
  from: number | undefined;
}

export async function readMeasure(
  db: Db,
  storage: Pick<Storage, 'reader' | 'pairsOf'>,
  scope: MeasureQuery,
): Promise<MeasuredRows> {
  const family = familyOf(scope.measure);
  const totals = totalsFor(scope);
  if (totals) {
    const rows = await readTotals(db, totals, scope, (edge) => readFamily(db, family, edge));
    return { rows, source: 'totals', from: undefined };
  }
  const counted = await readCallHours(db, scope);
  if (counted && counted.restCalls <= MAX_RECORDS) {
    const { rows } = counted;
    const source = rows.length > 0 ? 'totals' : 'records';
    for (const span of counted.rest)
      for (const row of await readFamily(db, family, { ...scope, span })) rows.push(row);
    return { rows, source, from: undefined };
  }
  const from = await startOfLatest(db, family, scope);
  const bounded = { ...scope, span: { ...scope.span, start: from ?? scope.span.start } };
  const rows = await readFamily(db, family, bounded);
  if (family !== 'verdicts') return { rows, source: 'records', from };
  const checks = await readChecks(db, storage, bounded);
  const latest = Math.max(from ?? 0, checks.from ?? 0) || undefined;
  return { rows: [...rows, ...checks.rows], source: 'records', from: latest };
}

function readFamily(db: Db, family: MeasureFamily, scope: MeasureQuery): Promise<Row[]> {
  if (family === 'runs') return readRuns(db, scope);
  if (family === 'calls') return readRecords(db, family, callsSource(scope), scope);
  if (family === 'scores') return readRecords(db, family, scoresSource(scope), scope);
  return readRecords(db, family, verdictsSource(scope), scope, idsWithin(scope.span));
}

/**
 * Bounds evaluations by id. They have no index by time, but their ids begin with the time at which
 * they were created, which is that time or shortly after it.
 */
const idsWithin = ({ start, end }: TimeSpan) => [
  sql<boolean>`r.id >= ${firstIdAt('evl', start)}`,
  sql<boolean>`r.id < ${firstIdAt('evl', end + DAY_MS)}`,
];

/** Returns the time of the oldest record that is read; undefined if all records are read. */
function startOfLatest(
  db: Db,
  family: MeasureFamily,
  { tenantId, span }: MeasureQuery,
): Promise<number | undefined> {
  const { start, end } = span;
  const ofFamily = {
    calls: sql`created_at as at from llm_calls where tenant_id = ${tenantId}
      and created_at >= ${start} and created_at < ${end} order by created_at desc`,
    runs: sql`started_at as at from runs where tenant_id = ${tenantId}
      and started_at >= ${start} and started_at < ${end} order by started_at desc`,
    scores: sql`created_at as at from scores where tenant_id = ${tenantId}
      and created_at >= ${start} and created_at < ${end} order by created_at desc`,
    verdicts: sql`r.created_at as at from evaluations as r where r.tenant_id = ${tenantId}
      and ${sql.join(idsWithin(span), sql` and `)} order by r.id desc`,
  };
  return latestAfter(db, ofFamily[family], MAX_RECORDS);
}

async function latestAfter(db: Db, ordered: ReturnType<typeof sql>, most: number) {
  const { rows } = await sql<{ at: number }>`select ${ordered}
    limit 1 offset ${sql.lit(most)}`.execute(db);
  return rows[0] === undefined ? undefined : rows[0].at + 1;
}

/**
 * Reads checks, which belong to no run. A filter that only runs can pass excludes them, and in a
 * grouping by a field of runs they have no group.
 */
async function readChecks(
  db: Db,
  storage: Pick<Storage, 'reader' | 'pairsOf'>,
  scope: MeasureQuery,
): Promise<{ rows: Row[]; from: number | undefined }> {
  const { tenantId, filters, group_by } = scope;
  if (runFilterOf('verdicts', filters)) return { rows: [], from: undefined };
  const { start, end } = scope.span;
  const ordered = sql`created_at as at from policy_checks where tenant_id = ${tenantId}
    and created_at >= ${start} and created_at < ${end} order by created_at desc`;
  const from = await latestAfter(db, ordered, MAX_CHECKS);
  const step = intervalIndex(sql`policy_checks.created_at`, scope.intervals);
  const name =
    group_by === 'agent' || group_by === 'workflow' ? group_by : actionOrPolicy(group_by);
  const rows = await verdictsOfChecks(
    { ...storage, reader: db },
    tenantId,
    { start: from ?? start, end, agent: filters.agent },
    { step, name, workflow: filters.workflow },
  );
  return { rows, from };
}

const actionOrPolicy = (group: string): 'action' | 'policy' | undefined =>
  group === 'action' || group === 'policy' ? group : undefined;

/** Returns the names of the API keys by id, including revoked ones. */
export async function findKeyNames(db: Db, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

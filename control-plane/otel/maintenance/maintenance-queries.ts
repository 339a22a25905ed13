import { type RawBuilder, sql } from 'kysely';
import type { Recording } from '../../recording/queries.ts';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { RunRef } from '../../usage/count.ts';
import { runOfTrace } from '../run-of-trace.ts';
import { findStoredRuns, progressRun } from '../runs/run-queries.ts';
import type { TraceFacts } from '../trace-facts.ts';

export type Trace = Pick<Tables['otel_traces'], 'trace_id' | 'run_id' | 'facts'>;
type State = Tables['otel_traces']['state'];

/** Few enough that a step takes some milliseconds. */
const TRACES_PER_STEP = 100;
/** The same: a trace may have any number of spans. */
const SPANS_PER_STEP = 500;

interface Which {
  state: State;
  /** Only traces whose run is deleted. */
  orphans: boolean;
  before: number;
}

/** Some traces of which nothing came since `before`, those that are silent for longest. */
const silent = (tenantId: string | RawBuilder<unknown>, { state, before }: Which) => sql`
  select trace_id, run_id from otel_traces
  where tenant_id = ${tenantId} and state = ${state} and seen_at < ${before}
  order by seen_at limit ${TRACES_PER_STEP}`;

/** Retention deletes the oldest runs first, and those are the ones that are silent for longest. */
const due = (tenantId: string | RawBuilder<unknown>, which: Which) =>
  which.orphans
    ? sql<{ trace_id: string }>`select trace_id from (${silent(tenantId, which)}) as s
        where not exists (select 1 from runs where tenant_id = ${tenantId} and id = s.run_id)`
    : sql<{ trace_id: string }>`select trace_id from (${silent(tenantId, which)}) as s`;

/** Tenants that have such traces. */
export async function findTenants(db: Db, which: Which): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tenants where exists (${due(sql.ref('tenants.id'), which)})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Such traces. Until the transaction ends nothing comes to them. */
export async function lockSilent(
  { trx, bulk }: Recording,
  tenantId: string,
  which: Which,
): Promise<Trace[]> {
  const { rows } = await due(tenantId, which).execute(trx);
  const values = rows.map(({ trace_id }) => trace_id);
  const columns = ['trace_id', 'run_id', 'facts', 'state', 'seen_at'] as const;
  const where = { tenantId, by: 'trace_id', values, lock: 'change' } as const;
  const traces = await bulk.find(trx, 'otel_traces', columns, where);
  // Something may have come while we waited for the lock.
  return traces.filter(({ state, seen_at }) => state === which.state && seen_at < which.before);
}

/** Brings locked traces into their next state. */
export async function advance(
  { trx, bulk }: Recording,
  tenantId: string,
  traces: readonly Trace[],
  state: State,
): Promise<void> {
  await trx
    .updateTable('otel_traces')
    .set({ state })
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', bulk.list(traces.map(({ trace_id }) => trace_id)))
    .execute();
}

/** Forgets traces that have no spans. */
export async function deleteTraces(
  { trx, bulk }: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<void> {
  await trx
    .deleteFrom('otel_traces')
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', bulk.list(traces.map(({ trace_id }) => trace_id)))
    .execute();
}

/**
 * Forgets which spans these traces had, or only which of one kind, as many as a step may. Answers
 * whether none is left.
 */
export async function deleteSpans(
  { trx, bulk }: Recording,
  tenantId: string,
  traces: readonly Trace[],
  kind?: Tables['otel_spans']['kind'],
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('otel_spans')
    .where('tenant_id', '=', tenantId)
    .where((eb) => {
      const some = eb
        .selectFrom('otel_spans')
        .select(['trace_id', 'span_id'])
        .where('tenant_id', '=', tenantId)
        .where('trace_id', 'in', bulk.list(traces.map(({ trace_id }) => trace_id)))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind as 'plain'))
        .limit(SPANS_PER_STEP);
      return eb(eb.refTuple('trace_id', 'span_id'), 'in', some.$asTuple('trace_id', 'span_id'));
    })
    .executeTakeFirst();
  return numDeletedRows < SPANS_PER_STEP;
}

/** Ends runs whose uppermost span never came, when their last span did. Answers those. */
export async function closeRuns(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<RunRef[]> {
  const runs = await findStoredRuns(
    recording,
    tenantId,
    traces.flatMap(({ run_id }) => run_id ?? []),
  );
  const ended: RunRef[] = [];
  for (const { run_id, facts } of traces) {
    const run = runs.get(run_id ?? 0);
    if (run?.status !== 'running' || facts === null) continue;
    const told = runOfTrace(JSON.parse(facts) as TraceFacts, true);
    const { status, started_at, completed_at, error } = told;
    await progressRun(recording, run, { status, started_at, completed_at, error });
    ended.push({ ...run, status, started_at });
  }
  return ended;
}

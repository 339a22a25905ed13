import { type RawBuilder, sql } from 'kysely';
import type { Recording } from '../../recording/queries.ts';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import { valueList } from '../../storage/value-list.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { RunRef } from '../../usage/count.ts';
import { runOfTrace } from '../run-of-trace.ts';
import { findStoredRuns, progressRun } from '../runs/run-queries.ts';
import type { TraceFacts } from '../trace-facts.ts';

export type Trace = Pick<Tables['otel_traces'], 'trace_id' | 'run_id' | 'facts'>;
type State = Tables['otel_traces']['state'];

/** Low enough that a batch takes some milliseconds. */
const TRACES_PER_STEP = 100;
/** Limited separately, because a trace may have any number of spans. */
const SPANS_PER_STEP = 500;

interface TraceFilter {
  state: State;
  /** Whether only traces whose run was deleted match. */
  orphans: boolean;
  before: number;
}

/** Selects traces without new spans since `before`, beginning with the longest silent ones. */
const silent = (tenantId: string | RawBuilder<unknown>, { state, before }: TraceFilter) => sql`
  select trace_id, run_id from otel_traces
  where tenant_id = ${tenantId} and state = ${state} and seen_at < ${before}
  order by seen_at limit ${TRACES_PER_STEP}`;

/**
 * Selects the traces to process. Orphans are searched among the longest silent traces, because
 * retention deletes the oldest runs first.
 */
const due = (tenantId: string | RawBuilder<unknown>, filter: TraceFilter) =>
  filter.orphans
    ? sql<{ trace_id: string }>`select trace_id from (${silent(tenantId, filter)}) as s
        where not exists (select 1 from runs where tenant_id = ${tenantId} and id = s.run_id)`
    : sql<{ trace_id: string }>`select trace_id from (${silent(tenantId, filter)}) as s`;

/** Finds the tenants that have such traces. */
export async function findTenants(db: Db, filter: TraceFilter): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tenants where exists (${due(sql.ref('tenants.id'), filter)})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks such traces, so that no spans are added to them until the transaction ends. */
export async function lockIdleTraces(
  tx: Tx,
  tenantId: string,
  filter: TraceFilter,
): Promise<Trace[]> {
  const { rows } = await due(tenantId, filter).execute(tx.db);
  const values = rows.map(({ trace_id }) => trace_id);
  const columns = ['trace_id', 'run_id', 'facts', 'state', 'seen_at'] as const;
  const where = { tenantId, by: 'trace_id', values, lock: 'no key update' } as const;
  const traces = await tx.bulk.find('otel_traces', columns, where);
  // New spans may have been added while this transaction waited for the lock.
  return traces.filter(({ state, seen_at }) => state === filter.state && seen_at < filter.before);
}

/** Sets the next state of locked traces. */
export async function setTraceState(
  tx: Tx,
  tenantId: string,
  traces: readonly Trace[],
  state: State,
): Promise<void> {
  await tx.db
    .updateTable('otel_traces')
    .set({ state })
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', valueList(traces.map(({ trace_id }) => trace_id)))
    .execute();
}

/** Deletes traces without spans. */
export async function deleteTraces(
  tx: Tx,
  tenantId: string,
  traces: readonly Trace[],
): Promise<void> {
  await tx.db
    .deleteFrom('otel_traces')
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', valueList(traces.map(({ trace_id }) => trace_id)))
    .execute();
}

/**
 * Deletes spans of these traces, up to the batch limit. Returns whether all of them are deleted.
 */
export const deleteSpans = async (
  tx: Tx,
  tenantId: string,
  traces: readonly Trace[],
): Promise<boolean> => (await deleteSome(tx, tenantId, traces, sql``)) < SPANS_PER_STEP;

/**
 * Deletes the spans of these traces that have neither AI work nor children, up to the batch limit.
 * A span with children is needed to find the next record in the tree of a run. Returns whether
 * there were none to delete; after a deletion, parents may have become deletable.
 */
export const deleteLeaves = async (
  tx: Tx,
  tenantId: string,
  traces: readonly Trace[],
): Promise<boolean> => {
  const isLeaf = sql`and s.kind = 'plain' and not exists (
    select 1 from otel_spans below where below.tenant_id = ${tenantId}
    and below.parent_span_id = s.span_id and below.trace_id = s.trace_id)`;
  return (await deleteSome(tx, tenantId, traces, isLeaf)) === 0n;
};

async function deleteSome(
  tx: Tx,
  tenantId: string,
  traces: readonly Trace[],
  which: RawBuilder<unknown>,
): Promise<bigint> {
  const traceIds = valueList(traces.map(({ trace_id }) => trace_id));
  const { numAffectedRows } = await sql`
    delete from otel_spans where tenant_id = ${tenantId} and (trace_id, span_id) in (
      select s.trace_id, s.span_id from otel_spans s
      where s.tenant_id = ${tenantId} and s.trace_id in ${traceIds} ${which}
      limit ${SPANS_PER_STEP})`.execute(tx.db);
  return numAffectedRows ?? 0n;
}

/** Ends runs whose root span never arrived, at the end of their last span. Returns these runs. */
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
    const mapped = runOfTrace(JSON.parse(facts) as TraceFacts, true);
    const { status, started_at, completed_at, error } = mapped;
    await progressRun(recording, run, { status, started_at, completed_at, error });
    ended.push({ ...run, status, started_at });
  }
  return ended;
}

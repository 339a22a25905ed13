import type { Transaction } from 'kysely';
import { progressRun, findStoredRuns } from '../runs/queries.ts';
import type { Recording } from '../../recording/queries.ts';
import type { Bulk } from '../../storage/bulk.ts';
import type { Tables } from '../../storage/tables.ts';
import { runOfTrace } from '../run-of-trace.ts';
import type { TraceFacts } from '../trace-facts.ts';

type State = Tables['otel_traces']['state'];
type Trace = Pick<Tables['otel_traces'], 'trace_id' | 'run_id' | 'facts'>;

/** Which silent traces: since when, and how many. */
interface Which {
  before: number;
  most: number;
}

interface Writing {
  trx: Transaction<Tables>;
  bulk: Bulk;
}

/** Some traces of which nothing came since `before`, those that are silent for longest. */
const silent = ({ trx }: Writing, tenantId: string, state: State, { before, most }: Which) =>
  trx
    .selectFrom('otel_traces')
    .select('trace_id')
    .where('tenant_id', '=', tenantId)
    .where('state', '=', state)
    .where('seen_at', '<', before)
    .orderBy('seen_at')
    .limit(most);

/** Silent traces that are in this state, without changing them. */
export function findSilent(writing: Writing, tenantId: string, state: State, which: Which) {
  return writing.trx
    .selectFrom('otel_traces')
    .select(['trace_id', 'run_id', 'facts'])
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', silent(writing, tenantId, state, which))
    .execute();
}

/** Brings silent traces into the next state; of what comes meanwhile they are no longer silent. */
export function advanceSilent(
  writing: Writing,
  tenantId: string,
  [from, to]: [State, State],
  which: Which,
): Promise<Trace[]> {
  return writing.trx
    .updateTable('otel_traces')
    .set({ state: to })
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', silent(writing, tenantId, from, which))
    .where('state', '=', from)
    .where('seen_at', '<', which.before)
    .returning(['trace_id', 'run_id', 'facts'])
    .execute();
}

/** Forgets silent traces of this state, with their spans. */
export async function deleteSilent(
  writing: Writing,
  tenantId: string,
  state: State,
  which: Which,
): Promise<void> {
  const gone = await writing.trx
    .deleteFrom('otel_traces')
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', silent(writing, tenantId, state, which))
    .where('state', '=', state)
    .where('seen_at', '<', which.before)
    .returning('trace_id')
    .execute();
  await deleteSpans(writing, tenantId, gone);
}

/** Forgets these traces, with their spans. */
export async function deleteTraces(
  writing: Writing,
  tenantId: string,
  traces: readonly Pick<Trace, 'trace_id'>[],
): Promise<void> {
  if (traces.length === 0) return;
  await writing.trx
    .deleteFrom('otel_traces')
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', writing.bulk.list(traces.map(({ trace_id }) => trace_id)))
    .execute();
  await deleteSpans(writing, tenantId, traces);
}

/** Forgets which spans these traces had, or only which of one kind. */
export async function deleteSpans(
  { trx, bulk }: Writing,
  tenantId: string,
  traces: readonly Pick<Trace, 'trace_id'>[],
  kind?: Tables['otel_spans']['kind'],
): Promise<void> {
  if (traces.length === 0) return;
  let spans = trx
    .deleteFrom('otel_spans')
    .where('tenant_id', '=', tenantId)
    .where('trace_id', 'in', bulk.list(traces.map(({ trace_id }) => trace_id)));
  if (kind) spans = spans.where('kind', '=', kind);
  await spans.execute();
}

/** Ends runs whose uppermost span never came, when their last span did. */
export async function closeRuns(
  recording: Recording,
  tenantId: string,
  traces: readonly Trace[],
): Promise<void> {
  const runs = await findStoredRuns(
    recording,
    tenantId,
    traces.flatMap(({ run_id }) => run_id ?? []),
  );
  for (const { run_id, facts } of traces) {
    const run = runs.get(run_id ?? 0);
    if (run?.status !== 'running' || facts === null) continue;
    const told = runOfTrace(JSON.parse(facts) as TraceFacts, true);
    const { status, started_at, completed_at, error } = told;
    await progressRun(recording, run, { status, started_at, completed_at, error });
  }
}

import { isUnfinished } from '#domain/providers/openai-background.ts';
import type { RunRef } from '../usage/count.ts';
import { type NewCall, type Recording, RUN_REF } from './queries.ts';
import { deleteRunRows } from './delete-run-queries.ts';
import type { Tx } from '../storage/transaction.ts';

/** A call to be stored unless it is already stored. */
export interface CandidateCall {
  tenantId: string;
  call: NewCall;
}

/** Duplicate calls, found by the provider's response id. */
export interface SameCalls {
  /** Calls that are already stored. Of duplicates in the input, these are all but the first. */
  repeated: ReadonlySet<NewCall>;
  /**
   * Runs that were recorded from captures and are now deleted, because clients reported the calls
   * themselves.
   */
  withdrawn: readonly RunRef[];
}

const NONE: SameCalls = { repeated: new Set(), withdrawn: [] };

/**
 * Deletes captured calls that a client now reports itself, with their runs, and returns the calls
 * of clients that are already stored. Deleted rows are subtracted from all totals, so the caller
 * must store the tally and delete empty totals afterwards. If two transactions store one call at the same
 * time, the unique index fails the second, which must be retried.
 */
export async function replaceCaptured(
  recording: Recording,
  candidates: readonly CandidateCall[],
): Promise<SameCalls> {
  const byTenant = withResponse(candidates);
  if (byTenant.size === 0) return NONE;
  const repeated = new Set<NewCall>();
  const withdrawn: RunRef[] = [];
  for (const [tenantId, calls] of byTenant) {
    const stored = await findSameCalls(recording, tenantId, calls);
    const captured = await findCaptured(recording, tenantId, [...stored.values()]);
    for (const call of repeatedOf(
      calls,
      (id) => !captured.has(stored.get(id) ?? 0) && stored.has(id),
    ))
      repeated.add(call);
    withdrawn.push(...(await deleteCapturedRuns(recording, tenantId, [...captured])));
  }
  return { repeated, withdrawn };
}

/** Finds those of these captured calls that are already stored, from any source. */
export async function findRecordedCalls(
  recording: Recording,
  candidates: readonly CandidateCall[],
): Promise<ReadonlySet<NewCall>> {
  const repeated = new Set<NewCall>();
  for (const [tenantId, calls] of withResponse(candidates)) {
    const stored = await findSameCalls(recording, tenantId, calls);
    for (const call of repeatedOf(calls, (id) => stored.has(id))) repeated.add(call);
  }
  return repeated;
}

/** The request of a call whose response was created in the background. */
export interface UnfinishedCall {
  call: Pick<NewCall, 'prompt_preview' | 'prompt_hash' | 'started_at'>;
  run: RunRef;
}

/**
 * Deletes captured calls that had no answer yet, with their runs, and returns them by those of
 * `candidates` that have the answer. The caller must do the same as for `replaceCaptured`.
 */
export async function withdrawUnfinished(
  recording: Recording,
  candidates: readonly CandidateCall[],
): Promise<ReadonlyMap<NewCall, UnfinishedCall>> {
  const withdrawn = new Map<NewCall, UnfinishedCall>();
  for (const [tenantId, calls] of withResponse(candidates)) {
    const values = [...new Set(calls.map(({ response_id }) => response_id))];
    const where = { tenantId, by: 'response_id', values } as const;
    const stored = await recording.bulk.find('llm_calls', UNFINISHED, where);
    const unfinished = stored.filter(({ finish_reason }) => isUnfinished(finish_reason));
    const runIds = unfinished.map(({ run_id }) => run_id);
    const captured = await findCaptured(recording, tenantId, runIds);
    const runs = await deleteCapturedRuns(recording, tenantId, [...captured]);
    const runOf = new Map(runs.map((run) => [run.id, run]));
    const storedOf = new Map(unfinished.map((call) => [call.response_id, call]));
    for (const call of calls) {
      const request = storedOf.get(call.response_id);
      const run = request && runOf.get(request.run_id);
      if (!run) continue;
      const { prompt_preview, prompt_hash, started_at } = request;
      withdrawn.set(call, { call: { prompt_preview, prompt_hash, started_at }, run });
    }
  }
  return withdrawn;
}

const UNFINISHED = [
  'run_id',
  'response_id',
  'finish_reason',
  'prompt_preview',
  'prompt_hash',
  'started_at',
] as const;

type Identified = NewCall & { response_id: string };

const isIdentified = (call: NewCall): call is Identified => typeof call.response_id === 'string';

/** Groups calls by tenant, in a fixed order that prevents deadlocks. */
function withResponse(candidates: readonly CandidateCall[]): Map<string, Identified[]> {
  const byTenant = new Map<string, Identified[]>();
  for (const { tenantId, call } of candidates) {
    if (!isIdentified(call)) continue;
    const group = byTenant.get(tenantId);
    if (group) group.push(call);
    else byTenant.set(tenantId, [call]);
  }
  return new Map([...byTenant].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function repeatedOf(calls: readonly Identified[], isStored: (id: string) => boolean): NewCall[] {
  const ids = new Set<string>();
  return calls.filter(({ response_id: id }) => {
    if (ids.has(id)) return true;
    ids.add(id);
    return isStored(id);
  });
}

/** Finds the runs of stored calls by response id. */
async function findSameCalls(
  tx: Tx,
  tenantId: string,
  calls: readonly Identified[],
): Promise<Map<string, number>> {
  const values = [...new Set(calls.map(({ response_id }) => response_id))];
  const where = { tenantId, by: 'response_id', values } as const;
  const rows = await tx.bulk.find('llm_calls', ['run_id', 'response_id'], where);
  return new Map(rows.map(({ run_id, response_id }) => [response_id as string, run_id]));
}

/** Finds the captured ones among these runs. Runs of clients are not locked. */
async function findCaptured(
  tx: Tx,
  tenantId: string,
  runIds: readonly number[],
): Promise<Set<number>> {
  if (runIds.length === 0) return new Set();
  const where = { tenantId, by: 'id', values: [...new Set(runIds)] } as const;
  const rows = await tx.bulk.find('runs', ['id', 'capture_id'], where);
  return new Set(rows.filter(({ capture_id }) => capture_id !== null).map(({ id }) => id));
}

const WITHDRAWN = [...RUN_REF, 'completed_at', 'tokens'] as const;

async function deleteCapturedRuns(
  recording: Recording,
  tenantId: string,
  ids: readonly number[],
): Promise<RunRef[]> {
  if (ids.length === 0) return [];
  const { bulk, quotas } = recording;
  const where = { tenantId, by: 'id', values: ids, lock: 'update' } as const;
  const runs = await bulk.find('runs', WITHDRAWN, where);
  for (const run of runs) {
    quotas.addRun(tenantId, -1);
    quotas.addTokens(tenantId, -run.tokens);
    await deleteRunRows({ ...recording, run }, ALL);
  }
  return runs;
}

/** More rows than a captured run has: one call, and one span for each tool call in it. */
const ALL = 1_000_000;

import type { RunRef } from '../usage/count.ts';
import { type NewCall, type Recording, RUN_REF } from './queries.ts';
import { deleteOfRun } from './removal-queries.ts';

/** A call that is about to be stored. */
export interface RecordedCall {
  tenantId: string;
  call: NewCall;
}

/** Which calls are told again, by the provider's id of their answers. */
export interface SameCalls {
  /** Those that are known already; of those that are here twice, all but the first. */
  repeated: ReadonlySet<NewCall>;
  /** Runs that were made of captures, and are gone: clients told of their calls themselves. */
  withdrawn: readonly RunRef[];
}

const NONE: SameCalls = { repeated: new Set(), withdrawn: [] };

/**
 * Looks for calls that clients tell of and that are known. A client's call stays, whoever tells of it
 * again; a captured one gives way to it, with its run and out of all totals: store the tally and sweep
 * it afterwards. Two transactions that tell of one call at the same time are found out by the index:
 * the one that comes second fails, and is to be done again.
 */
export async function giveWay(
  recording: Recording,
  told: readonly RecordedCall[],
): Promise<SameCalls> {
  const byTenant = withResponse(told);
  if (byTenant.size === 0) return NONE;
  const repeated = new Set<NewCall>();
  const withdrawn: RunRef[] = [];
  for (const [tenantId, calls] of byTenant) {
    const known = await findSameCalls(recording, tenantId, calls);
    const captured = await findCaptured(recording, tenantId, [...known.values()]);
    for (const call of repeatedOf(
      calls,
      (id) => !captured.has(known.get(id) ?? 0) && known.has(id),
    ))
      repeated.add(call);
    withdrawn.push(...(await withdraw(recording, tenantId, [...captured])));
  }
  return { repeated, withdrawn };
}

/** Calls of captures that are known, whoever told of them. */
export async function findRecordedCalls(
  recording: Recording,
  told: readonly RecordedCall[],
): Promise<ReadonlySet<NewCall>> {
  const repeated = new Set<NewCall>();
  for (const [tenantId, calls] of withResponse(told)) {
    const known = await findSameCalls(recording, tenantId, calls);
    for (const call of repeatedOf(calls, (id) => known.has(id))) repeated.add(call);
  }
  return repeated;
}

type Identified = NewCall & { response_id: string };

const isIdentified = (call: NewCall): call is Identified => typeof call.response_id === 'string';

/** In the order of the tenants, so that two transactions never wait for each other. */
function withResponse(told: readonly RecordedCall[]): Map<string, Identified[]> {
  const found = new Map<string, Identified[]>();
  for (const { tenantId, call } of told) {
    if (!isIdentified(call)) continue;
    const known = found.get(tenantId);
    if (known) known.push(call);
    else found.set(tenantId, [call]);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function repeatedOf(calls: readonly Identified[], isKnown: (id: string) => boolean): NewCall[] {
  const seen = new Set<string>();
  return calls.filter(({ response_id: id }) => {
    if (seen.has(id)) return true;
    seen.add(id);
    return isKnown(id);
  });
}

/** The runs of the calls that are there, by the ids of their answers. */
async function findSameCalls(
  { trx, bulk }: Recording,
  tenantId: string,
  calls: readonly Identified[],
): Promise<Map<string, number>> {
  const values = [...new Set(calls.map(({ response_id }) => response_id))];
  const where = { tenantId, by: 'response_id', values } as const;
  const rows = await bulk.find(trx, 'llm_calls', ['run_id', 'response_id'], where);
  return new Map(rows.map(({ run_id, response_id }) => [response_id as string, run_id]));
}

/** Of these runs those that were made of captures; clients' runs are not locked for that. */
async function findCaptured(
  { trx, bulk }: Recording,
  tenantId: string,
  runIds: readonly number[],
): Promise<Set<number>> {
  if (runIds.length === 0) return new Set();
  const where = { tenantId, by: 'id', values: [...new Set(runIds)] } as const;
  const rows = await bulk.find(trx, 'runs', ['id', 'capture_id'], where);
  return new Set(rows.filter(({ capture_id }) => capture_id !== null).map(({ id }) => id));
}

const WITHDRAWN = [...RUN_REF, 'completed_at', 'tokens'] as const;

async function withdraw(
  recording: Recording,
  tenantId: string,
  ids: readonly number[],
): Promise<RunRef[]> {
  if (ids.length === 0) return [];
  const { trx, bulk, quotas } = recording;
  const where = { tenantId, by: 'id', values: ids, lock: 'delete' } as const;
  const runs = await bulk.find(trx, 'runs', WITHDRAWN, where);
  for (const run of runs) {
    quotas?.addRun(tenantId, -1);
    quotas?.addTokens(tenantId, -run.tokens);
    await deleteOfRun({ ...recording, run }, ALL);
  }
  return runs;
}

/** A captured run has one call, and a span for each tool that it asked for. */
const ALL = 1_000_000;

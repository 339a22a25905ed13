import type { Insertable, Transaction } from 'kysely';
import { countPrompts } from '../prompts/count-usage.ts';
import { findPromptTexts } from '../prompts/usage-queries.ts';
import type { Bulk, Lock } from '../storage/bulk.ts';
import type { SearchIndex } from '../storage/search/search-index.ts';
import type { Tables } from '../storage/tables.ts';
import type { DayCounts } from '../tenancy/quota-usage/open-quota-usage.ts';
import {
  countActivity,
  countCalls,
  countEnd,
  countRun,
  countScores,
  type RunRef,
} from '../usage/count.ts';
import type { Tally } from '../usage/tally.ts';

type Without<T extends keyof Tables, K extends keyof Tables[T]> = Omit<Insertable<Tables[T]>, K>;

type OfRun = 'tenant_id' | 'run_id';
export type NewRun = Without<'runs', 'id' | 'workflow_id' | 'llm_call_count' | 'tokens' | 'cost'>;
export type NewCall = Without<
  'llm_calls',
  OfRun | 'id' | 'agent_name' | 'workflow_name' | 'prompt_counted'
>;
export type NewStep = Without<'steps', OfRun | 'id'>;
export type NewSpan = Without<'spans', OfRun | 'id'>;
export type NewScore = Omit<Tables['scores'], OfRun | 'run_agent_name'>;

/** Telemetry of one run. */
export interface Telemetry {
  calls?: readonly NewCall[];
  steps?: readonly NewStep[];
  spans?: readonly NewSpan[];
  scores?: readonly NewScore[];
}

export type RunEnd = Pick<Tables['runs'], 'result' | 'error' | 'completed_at'> & {
  status: 'success' | 'error';
  completed_at: number;
};

/** A recording transaction: rows are written at once, totals just before the commit. */
export interface Recording {
  trx: Transaction<Tables>;
  bulk: Bulk;
  search: Pick<SearchIndex, 'enqueue' | 'changed'>;
  tally: Tally;
  /** Today's usage of tenants with quotas. */
  quotas?: DayCounts;
}

/** A policy's evaluation at the start of a run. */
export type NewEvaluation = Omit<Insertable<Tables['evaluations']>, OfRun>;

/** Inserts started runs; returns them in the same order. */
export async function startRuns(
  { trx, bulk, tally }: Recording,
  runs: readonly NewRun[],
): Promise<(RunRef & { workflow_id: number })[]> {
  const workflows = await workflowsOf(trx, bulk, runs);
  const rows = runs.map((run) => ({
    ...run,
    workflow_id: workflows.get(pairKey(run)) as number,
    llm_call_count: 0,
    tokens: 0,
    cost: 0,
  }));
  const ids = await bulk.insertCounted(trx, 'runs', rows);
  return rows.map((row, index) => {
    const run = {
      ...row,
      id: ids[index] as number,
      session_id: row.session_id ?? null,
      user_id: row.user_id ?? null,
      end_user_id: row.end_user_id ?? null,
    };
    countRun(tally, run);
    return run;
  });
}

interface Pair {
  tenant_id: string;
  agent_name: string;
  workflow_name: string;
}

export const pairKey = ({ tenant_id, agent_name, workflow_name }: Pair): string =>
  JSON.stringify([tenant_id, agent_name, workflow_name]);

/** The ids of the workflows of these pairs; new workflows are inserted. */
export async function workflowsOf(
  trx: Transaction<Tables>,
  bulk: Bulk,
  pairs: readonly Pair[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const distinct = new Map(pairs.map((pair) => [pairKey(pair), pair]));
  for (const [key, pair] of [...distinct].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { tenant_id, agent_name, workflow_name } = pair;
    const find = () =>
      trx
        .selectFrom('workflows')
        .select('id')
        .where('tenant_id', '=', tenant_id)
        .where('agent_name', '=', agent_name)
        .where('workflow_name', '=', workflow_name)
        .executeTakeFirst();
    let existing = await find();
    if (!existing) {
      const identity = ['tenant_id', 'agent_name', 'workflow_name'] as const;
      await bulk.insertNew(trx, 'workflows', identity, [{ tenant_id, agent_name, workflow_name }]);
      existing = await find();
    }
    if (!existing) throw new Error('workflow missing after its insert');
    ids.set(key, existing.id);
  }
  return ids;
}

export const RUN_REF = [
  'tenant_id',
  'id',
  'agent_name',
  'workflow_name',
  'session_id',
  'user_id',
  'end_user_id',
  'status',
  'started_at',
] as const;

/** The runs of a tenant with these ids, locked; missing ids are omitted. */
export async function findRuns(
  { trx, bulk }: Pick<Recording, 'trx' | 'bulk'>,
  tenantId: string,
  ids: readonly number[],
  lock: Lock = 'keep',
): Promise<Map<number, RunRef>> {
  const runs = await bulk.find(trx, 'runs', RUN_REF, { tenantId, by: 'id', values: ids, lock });
  return new Map(runs.map((run) => [run.id, run]));
}

/** Ends a running run. Returns false if it is not running. */
export async function completeRun(
  { trx, tally }: Recording,
  run: RunRef,
  end: RunEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set(end)
    .where('tenant_id', '=', run.tenant_id)
    .where('id', '=', run.id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  countEnd(tally, run, end.status, end.completed_at);
  return true;
}

export interface OnRun extends Telemetry {
  run: RunRef;
  /**
   * The last activity of the run's session and user, if known more precisely than the recording
   * time of its steps and spans.
   */
  at?: number;
}

/** Stores telemetry of many runs, with one insert per kind. */
export async function addTelemetry(recording: Recording, items: readonly OnRun[]): Promise<void> {
  const { trx, bulk, tally } = recording;
  await insertCalls(recording, items);
  const rowOf = <T>(run: RunRef, row: T) => ({ ...row, tenant_id: run.tenant_id, run_id: run.id });
  const steps = items.flatMap(({ run, steps = [] }) => steps.map((step) => rowOf(run, step)));
  await bulk.insert(trx, 'steps', steps);
  const spans = items.flatMap(({ run, spans = [] }) => spans.map((span) => rowOf(run, span)));
  await bulk.insert(trx, 'spans', spans);
  const scores = items.flatMap(({ run, scores = [] }) =>
    scores.map((score) => ({ ...rowOf(run, score), run_agent_name: run.agent_name })),
  );
  await bulk.insert(trx, 'scores', scores);
  await addToRuns(trx, bulk, items);
  for (const { run, at, calls, scores } of byRun(items)) {
    if (at !== undefined) countActivity(tally, run, at);
    countCalls(tally, run, calls);
    countScores(tally, run, scores);
    for (const { total_tokens } of calls) recording.quotas?.addTokens(run.tenant_id, total_tokens);
  }
}

/** Groups the items by run: many requests may concern few runs. */
function byRun(items: readonly OnRun[]) {
  const groups = new Map<
    RunRef,
    { run: RunRef; at: number | undefined; calls: NewCall[]; scores: NewScore[] }
  >();
  for (const item of items) {
    const { run, calls = [], scores = [], at = lastOf(item) } = item;
    let group = groups.get(run);
    if (!group) groups.set(run, (group = { run, at, calls: [], scores: [] }));
    if (at !== undefined) group.at = Math.max(group.at ?? at, at);
    group.calls.push(...calls);
    group.scores.push(...scores);
  }
  return groups.values();
}

/**
 * The time of the last step or span; LLM calls update the activity through their totals. Scores do
 * not count as session activity, because they may be added long after the run.
 */
function lastOf({ steps = [], spans = [] }: Telemetry): number | undefined {
  let last: number | undefined;
  for (const rows of [steps, spans])
    for (const { created_at } of rows) last = Math.max(last ?? created_at, created_at);
  return last;
}

async function insertCalls(recording: Recording, items: readonly OnRun[]): Promise<void> {
  const { trx, bulk, search, tally } = recording;
  const prompts = await findPromptTexts(recording, textsOf(items));
  const rows = items.flatMap(({ run, calls = [] }) => {
    const texts = prompts.get(run.tenant_id);
    return calls.map((call) => callRow(run, call, texts?.has(call.prompt_hash) ? 1 : 0));
  });
  const ids = await bulk.insertCounted(trx, 'llm_calls', rows);
  const byTenant = new Map<string, number[]>();
  rows.forEach(({ tenant_id }, i) => {
    const tenantIds = byTenant.get(tenant_id);
    if (tenantIds) tenantIds.push(ids[i] as number);
    else byTenant.set(tenant_id, [ids[i] as number]);
  });
  for (const [tenantId, callIds] of byTenant) await search.enqueue(trx, tenantId, callIds);
  countPrompts(tally, rows);
}

/** The prompts' hashes, by tenant. */
function textsOf(items: readonly OnRun[]): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { run, calls = [] } of items)
    for (const { prompt_hash } of calls) {
      if (!prompt_hash) continue;
      const hashes = texts.get(run.tenant_id);
      if (hashes) hashes.add(prompt_hash);
      else texts.set(run.tenant_id, new Set([prompt_hash]));
    }
  return texts;
}

// The spread comes first: V8 then clones objects of one shape as a whole.
const callRow = (run: RunRef, call: NewCall, prompt_counted: 0 | 1) => ({
  ...call,
  tenant_id: run.tenant_id,
  run_id: run.id,
  agent_name: run.agent_name,
  workflow_name: run.workflow_name,
  prompt_counted,
});

async function addToRuns(
  trx: Transaction<Tables>,
  bulk: Bulk,
  items: readonly OnRun[],
): Promise<void> {
  const totals = new Map<number, RunTotals>();
  for (const { run, calls = [] } of items) {
    if (calls.length === 0) continue;
    const { tenant_id, id } = run;
    const sums = totals.get(id) ?? { tenant_id, id, llm_call_count: 0, tokens: 0, cost: 0 };
    totals.set(id, sums);
    sums.llm_call_count += calls.length;
    for (const call of calls) {
      sums.tokens += call.total_tokens;
      sums.cost += call.cost;
    }
  }
  const rows = [...totals.values()].sort((a, b) => a.id - b.id);
  const how = { key: ['tenant_id', 'id'], add: ['llm_call_count', 'tokens', 'cost'] } as const;
  await bulk.add(trx, 'runs', how, rows);
}

type RunTotals = Pick<Tables['runs'], 'tenant_id' | 'llm_call_count' | 'tokens' | 'cost'> & {
  id: number;
};

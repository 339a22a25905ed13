import { countPrompts } from '../prompts/count-usage.ts';
import { findPromptTexts } from '../prompts/usage-queries.ts';
import type { Tx } from '../storage/transaction.ts';
import { countActivity, countCalls, countScores, type RunRef } from '../usage/count.ts';
import type { NewCall, NewScore, Recording, Telemetry } from './queries.ts';
import { addCalls, type RunTotals, totalsOf } from './run-totals.ts';
import { withSameDetails, withSamePositions } from './trace-position.ts';

export interface RunTelemetry extends Telemetry {
  run: RunRef;
  /**
   * The time of the last activity of the run's session and user. By default, the time at which
   * the steps and spans were recorded.
   */
  at?: number;
  /** Whether the run was stored with totals that include these calls. */
  isCounted?: boolean;
}

/**
 * Stores telemetry of many runs, with one insert per kind. Returns the ids of the calls in the
 * order of the items.
 */
export async function addTelemetry(
  recording: Recording,
  items: readonly RunTelemetry[],
): Promise<readonly number[]> {
  const { bulk, quotas, tally } = recording;
  const callIds = await insertCalls(recording, items);
  const rowOf = <T>(run: RunRef, row: T) => ({ ...row, tenant_id: run.tenant_id, run_id: run.id });
  const steps = items.flatMap(({ run, steps = [] }) => steps.map((step) => rowOf(run, step)));
  await bulk.insert('steps', withSamePositions(steps));
  const spans = items.flatMap(({ run, spans = [] }) => spans.map((span) => rowOf(run, span)));
  await bulk.insert('spans', withSamePositions(spans));
  const scores = items.flatMap(({ run, scores = [] }) =>
    scores.map((score) => ({ ...rowOf(run, score), run_agent_name: run.agent_name })),
  );
  await bulk.insert('scores', scores);
  await addToRuns(recording, items);
  for (const { run, at, calls, scores } of byRun(items)) {
    if (at !== undefined) countActivity(tally, run, at);
    countCalls(tally, run, calls);
    countScores(tally, run, scores);
    for (const { total_tokens } of calls) quotas.addTokens(run.tenant_id, total_tokens);
  }
  return callIds;
}

/** Groups the items by run, because many requests may concern few runs. */
function byRun(items: readonly RunTelemetry[]) {
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
 * Returns the time of the last step or span. LLM calls update the activity through their totals.
 * Scores do not count as session activity, because they may be added long after the run.
 */
function lastOf({ steps = [], spans = [] }: Telemetry): number | undefined {
  let last: number | undefined;
  for (const rows of [steps, spans])
    for (const { created_at } of rows) last = Math.max(last ?? created_at, created_at);
  return last;
}

async function insertCalls(
  recording: Recording,
  items: readonly RunTelemetry[],
): Promise<number[]> {
  const { bulk, search, tally } = recording;
  const prompts = await findPromptTexts(recording, promptHashesOf(items));
  const rows = items.flatMap(({ run, calls = [] }) => {
    const texts = prompts.get(run.tenant_id);
    return calls.map((call) => callRowOfRun(run, call, texts?.has(call.prompt_hash) ? 1 : 0));
  });
  const ids = await bulk.insertCounted('llm_calls', withSameDetails(rows));
  const byTenant = new Map<string, number[]>();
  rows.forEach(({ tenant_id }, i) => {
    const tenantIds = byTenant.get(tenant_id);
    if (tenantIds) tenantIds.push(ids[i] as number);
    else byTenant.set(tenant_id, [ids[i] as number]);
  });
  for (const [tenantId, callIds] of byTenant) await search.enqueue(recording, tenantId, callIds);
  countPrompts(tally, rows);
  return ids;
}

/** Returns the hashes of the prompts, by tenant. */
function promptHashesOf(items: readonly RunTelemetry[]): Map<string, Set<string>> {
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

// The spread comes first, because V8 then clones objects of one shape as a whole.
const callRowOfRun = (run: RunRef, call: NewCall, prompt_counted: 0 | 1) => ({
  ...call,
  tenant_id: run.tenant_id,
  run_id: run.id,
  agent_name: run.agent_name,
  workflow_name: run.workflow_name,
  prompt_counted,
});

async function addToRuns(tx: Tx, items: readonly RunTelemetry[]): Promise<void> {
  const totals = new Map<number, RunTotals & { tenant_id: string; id: number }>();
  for (const { run, calls = [], isCounted } of items) {
    if (calls.length === 0 || isCounted) continue;
    const { tenant_id, id } = run;
    const sums = totals.get(id) ?? { tenant_id, id, ...totalsOf([]) };
    totals.set(id, sums);
    addCalls(sums, calls);
  }
  const rows = [...totals.values()].sort((a, b) => a.id - b.id);
  const how = { key: ['tenant_id', 'id'], add: ['llm_call_count', 'tokens', 'cost'] } as const;
  await tx.bulk.add('runs', how, rows);
}

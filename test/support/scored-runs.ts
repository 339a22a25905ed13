import type { TwoTenants } from './two-tenants.ts';

/** The names of the scores. */
export const scoreNames = ['quality', 'tone/ü', 'a_b%'] as const;
export const runAgents = ['support', 'research'] as const;

/** A run with its only call. */
export interface ScoredRun {
  id: number;
  call: number;
}

/** Records one run for each agent in `runAgents`, in that order. */
export async function recordScoredRuns({ byKey, byOwner }: TwoTenants['one']) {
  const runs: ScoredRun[] = [];
  for (const agent_name of runAgents) {
    const { run_id } = await byKey.recording.startRun({ body: { agent_name } });
    const calls = [{ model: 'gpt-4o', tokens_in: 1, tokens_out: 1, cost: 0 }];
    await byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    const { llm_calls } = await byOwner.runs.getRun({ params: { id: run_id } });
    runs.push({ id: Number(run_id), call: llm_calls[0]?.id ?? 0 });
  }
  return runs;
}

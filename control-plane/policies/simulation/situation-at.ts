import type { Phase } from '#contract/policy-actions.ts';
import type { RunSoFar, Situation } from '../category.ts';
import { NO_INTENT, situationOf } from '../situation.ts';
import type { RecordedRun } from './recorded-run.ts';

/** Returns the policy input for one phase of a recorded run. */
export function situationAt(run: RecordedRun, phase: Phase, now: number): Situation {
  return situationOf({ ...subjectOf(run), phase, now, ...(telemetryAt[phase] ?? ended)(run) });
}

const telemetryAt: Partial<Record<Phase, (run: RecordedRun) => Partial<Situation>>> = {
  before_workflow: ({ inputs }) => ({ intent: { ...NO_INTENT, inputs } }),
  mid_execution: (run) => ({
    run: soFar(run, { status: 'running', completedAt: null }),
    calls: run.telemetry?.calls ?? [],
    tools: run.telemetry?.tools ?? [],
  }),
};

const ended = (run: RecordedRun): Partial<Situation> => ({
  run: soFar(run, { status: run.status, completedAt: run.completed_at }),
  result: run.result,
  error: run.error,
});

const subjectOf = (run: RecordedRun) => ({
  agent: run.agent_name,
  workflow: run.workflow_name,
  sessionId: run.session_id,
  userId: run.user_id,
  userGroup: run.user_group,
  endUserId: run.end_user_id,
});

const soFar = (run: RecordedRun, state: Pick<RunSoFar, 'status' | 'completedAt'>): RunSoFar => ({
  id: run.id,
  ...state,
  startedAt: run.started_at,
  tokens: run.tokens,
  cost: run.cost,
  llmCallCount: run.llm_call_count,
  stepCount: run.telemetry?.stepCount ?? 0,
  toolCallCount: run.telemetry?.toolCallCount ?? 0,
  retryCount: run.telemetry?.retryCount ?? 0,
});

import type { NewRun } from './queries.ts';
import type { Situation } from '../policies/category.ts';
import { NO_INTENT, situationOf } from '../policies/situation.ts';
import type { Verdict } from '../policies/verdict.ts';

export const situationOfStart = (run: NewRun): Situation =>
  situationOf({
    phase: 'before_workflow',
    now: run.started_at,
    agent: run.agent_name,
    workflow: run.workflow_name,
    sessionId: run.session_id ?? null,
    userId: run.user_id ?? null,
    userGroup: run.user_group ?? null,
    endUserId: run.end_user_id ?? null,
    // The inputs are the stored, masked ones, because the recorded evaluation must be masked too.
    intent: { ...NO_INTENT, inputs: run.inputs ? (JSON.parse(run.inputs) as unknown) : null },
  });

/** The governance fields of the response to a completed run. */
export const toCompletionResponse = (verdict: Verdict | null) => ({
  governance_action: verdict?.action ?? ('allow' as const),
  should_retry: verdict?.action === 'retry',
  retry_feedback: textOf(verdict?.metadata.retry_feedback),
  max_retries: Number(verdict?.metadata.max_retries ?? 0),
});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

import { type Action, actions } from '#contract/policy-actions.ts';
import type { EvaluationResult, PolicyOutcome } from './evaluate.ts';

/** The combined result that is returned to the agent. */
export interface Verdict {
  action: Action;
  reason: string;
  /** The metadata of the strictest policy, plus the result of every policy. */
  metadata: Record<string, unknown>;
}

export const verdictOf = ({ verdict, outcomes }: EvaluationResult): Verdict => ({
  action: verdict?.evaluation.action ?? 'allow',
  reason: verdict?.evaluation.reason ?? '',
  metadata: {
    ...verdict?.evaluation.metadata,
    ...(verdict && named(verdict)),
    evaluations: outcomes.map(({ policy, evaluation }) => ({
      ...named({ policy, evaluation }),
      action: evaluation.action,
      reason: evaluation.reason,
      metadata: evaluation.metadata ?? {},
    })),
  },
});

const named = ({ policy }: PolicyOutcome) => ({
  policy_id: policy.id,
  policy_name: policy.name,
  category: policy.category.name,
});

/** Returns the strictest of the recorded evaluations. */
export function strictestRecorded(
  evaluations: readonly { action: Action; reason: string; metadata: string }[],
): Verdict | null {
  const [first] = evaluations.toSorted(
    (a, b) => actions.indexOf(a.action) - actions.indexOf(b.action),
  );
  if (!first) return null;
  const metadata = JSON.parse(first.metadata) as Record<string, unknown>;
  return { action: first.action, reason: first.reason, metadata };
}

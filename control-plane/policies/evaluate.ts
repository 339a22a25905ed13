import { type Action, actions } from '#contract/policy-actions.ts';
import { type Evaluation, type PolicyFacts, isEndPhase, type Situation } from './category.ts';
import type { Policy } from './policy-set.ts';
import { isForAll } from './scope.ts';

/** The result of one policy. */
export interface PolicyOutcome {
  policy: Policy;
  evaluation: Evaluation;
}

export interface EvaluationInput {
  situation: Situation;
  policies: readonly Policy[];
  /**
   * The policies whose state changes when a run ends, even if they are not evaluated then; by
   * default, `policies`.
   */
  ending?: readonly Policy[];
  factsOf(policy: Policy): PolicyFacts;
  rememberedOf(policy: Policy): Readonly<Record<string, unknown>> | null;
  states: States;
}

/** The state that policies keep per subject; undefined if there is none. */
export interface States {
  get(policy: Policy, situation: Situation): unknown;
  set(policy: Policy, situation: Situation, state: unknown): void;
}

export interface EvaluationResult {
  outcomes: readonly PolicyOutcome[];
  /**
   * The strictest outcome, and the first evaluated among equals; null if no policy returned an
   * outcome.
   */
  verdict: PolicyOutcome | null;
}

/** Whether the action prevents what was requested. */
export const refuses = (action: Action): boolean =>
  actions.indexOf(action) <= actions.indexOf('retry');

/** Evaluates every policy. New states are stored only if no policy refuses. */
export function evaluate(input: EvaluationInput): EvaluationResult {
  const { situation, policies, states } = input;
  if (isEndPhase(situation.phase))
    for (const policy of input.ending ?? policies) recordEnd(input, policy);
  const outcomes: PolicyOutcome[] = [];
  for (const policy of policies) {
    if (!policy.category.phases.includes(situation.phase)) continue;
    const evaluation = policy.category.evaluate(policyInput(input, policy));
    if (evaluation) outcomes.push({ policy, evaluation: applyMode(policy, evaluation) });
  }
  const verdict = strictest(outcomes);
  const refused = verdict !== null && refuses(verdict.evaluation.action);
  if (!refused)
    for (const { policy, evaluation } of outcomes)
      if (evaluation.state !== undefined) states.set(policy, situation, evaluation.state);
  return { outcomes, verdict };
}

/**
 * Applies the mode of a policy. A policy that only warns reports what it would have done, requests
 * no approval and stops nothing.
 */
function applyMode({ mode }: Policy, evaluation: Evaluation): Evaluation {
  const { action } = evaluation;
  if (mode !== 'warn' || action === 'allow' || action === 'warn') return evaluation;
  const { approval: _requested, ...rest } = evaluation;
  return { ...rest, action: 'warn', metadata: { ...rest.metadata, would_have: action } };
}

function recordEnd(input: EvaluationInput, policy: Policy): void {
  const state = policy.category.ended?.(policyInput(input, policy));
  if (state !== undefined) input.states.set(policy, input.situation, state);
}

const policyInput = (input: EvaluationInput, policy: Policy) => ({
  rules: policy.rules,
  situation: input.situation,
  facts: input.factsOf(policy),
  state: input.states.get(policy, input.situation),
  remembered: input.rememberedOf(policy),
  isGlobal: isForAll(policy.scope),
});

export function strictest(outcomes: readonly PolicyOutcome[]): PolicyOutcome | null {
  let strictestSoFar: PolicyOutcome | null = null;
  for (const outcome of outcomes)
    if (!strictestSoFar || strictness(outcome) < strictness(strictestSoFar))
      strictestSoFar = outcome;
  return strictestSoFar;
}

const strictness = ({ evaluation }: PolicyOutcome): number => actions.indexOf(evaluation.action);

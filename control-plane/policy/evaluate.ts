import { type Action, actions } from '#contract/policy-words.ts';
import { type Evaluation, type Facts, isEnd, type Situation } from './category.ts';
import type { Policy } from './policy-set.ts';
import { isForAll } from './scope.ts';

/** What one policy answered. */
export interface Outcome {
  policy: Policy;
  evaluation: Evaluation;
}

export interface EvaluationInput {
  situation: Situation;
  policies: readonly Policy[];
  /** To which it matters that a run ended, whether or not they are asked; else those asked. */
  ending?: readonly Policy[];
  factsOf(policy: Policy): Facts;
  rememberedOf(policy: Policy): Readonly<Record<string, unknown>> | null;
  states: States;
}

/** What policies remember of their subjects; undefined for nothing. */
export interface States {
  get(policy: Policy, situation: Situation): unknown;
  set(policy: Policy, situation: Situation, state: unknown): void;
}

export interface EvaluationResult {
  outcomes: readonly Outcome[];
  /** The strictest; of several alike, the first that was asked. Null when no policy said anything. */
  verdict: Outcome | null;
}

/** Does what is asked for not take place? */
export const refuses = (action: Action): boolean =>
  actions.indexOf(action) <= actions.indexOf('retry');

/** Asks every policy, and keeps what they remember: all of it, or when one refuses none. */
export function evaluate(question: EvaluationInput): EvaluationResult {
  const { situation, policies, states } = question;
  if (isEnd(situation.phase))
    for (const policy of question.ending ?? policies) keepEnd(question, policy);
  const outcomes: Outcome[] = [];
  for (const policy of policies) {
    if (!policy.category.phases.includes(situation.phase)) continue;
    const evaluation = policy.category.evaluate(policyInput(question, policy));
    if (evaluation) outcomes.push({ policy, evaluation });
  }
  const verdict = strictest(outcomes);
  const refused = verdict !== null && refuses(verdict.evaluation.action);
  if (!refused)
    for (const { policy, evaluation } of outcomes)
      if (evaluation.state !== undefined) states.set(policy, situation, evaluation.state);
  return { outcomes, verdict };
}

function keepEnd(question: EvaluationInput, policy: Policy): void {
  const state = policy.category.ended?.(policyInput(question, policy));
  if (state !== undefined) question.states.set(policy, question.situation, state);
}

const policyInput = (question: EvaluationInput, policy: Policy) => ({
  rules: policy.rules,
  situation: question.situation,
  facts: question.factsOf(policy),
  state: question.states.get(policy, question.situation),
  remembered: question.rememberedOf(policy),
  isGlobal: isForAll(policy.scope),
});

export function strictest(outcomes: readonly Outcome[]): Outcome | null {
  let found: Outcome | null = null;
  for (const outcome of outcomes)
    if (!found || strictness(outcome) < strictness(found)) found = outcome;
  return found;
}

const strictness = ({ evaluation }: Outcome): number => actions.indexOf(evaluation.action);

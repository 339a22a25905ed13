import { describeIssues } from '#contract/errors.ts';
import type {
  Category,
  Evaluation,
  PolicyFacts,
  RunSoFar,
  Situation,
} from '#control-plane/policies/category.ts';
import { NO_FACTS, NO_INTENT, situationOf } from '#control-plane/policies/situation.ts';
import { refuses } from '#control-plane/policies/evaluate.ts';

/** Noon on a Wednesday. */
export const NOON = Date.parse('2026-03-04T12:00:00Z');

/**
 * Differences to the default situation: an agent `a` that is about to start its workflow `w` at
 * noon.
 */
export interface SituationOverrides extends Partial<Omit<Situation, 'intent' | 'run'>> {
  intent?: Partial<Situation['intent']>;
  run?: Partial<RunSoFar>;
  facts?: Partial<PolicyFacts>;
  remembered?: Readonly<Record<string, unknown>>;
  state?: unknown;
}

const RUN: RunSoFar = {
  id: 1,
  status: 'running',
  startedAt: NOON,
  completedAt: null,
  tokens: 0,
  cost: 0,
  llmCallCount: 0,
  stepCount: 0,
  toolCallCount: 0,
  retryCount: 0,
};

const evaluationInput = (category: Category, rules: unknown, given: SituationOverrides) => {
  const { intent, run, facts, remembered = null, state, ...rest } = given;
  return {
    rules: category.rules.parse(rules),
    situation: situationOf({
      phase: 'before_workflow',
      now: NOON,
      agent: 'a',
      workflow: 'w',
      ...rest,
      intent: { ...NO_INTENT, ...intent },
      run: run ? { ...RUN, ...run } : null,
    }),
    facts: { ...NO_FACTS, ...facts },
    state,
    remembered,
    isGlobal: true,
  };
};

export const evaluate = (
  category: Category,
  rules: unknown,
  given: SituationOverrides = {},
): Evaluation | null => category.evaluate(evaluationInput(category, rules, given));

/**
 * Returns the validation errors of rules as an administrator sees them; undefined if they are
 * valid.
 */
export function rulesProblem(category: Category, rules: unknown): string | undefined {
  const { error } = category.rules.safeParse(rules);
  return error && describeIssues(error, 'rules');
}

/**
 * Simulates one subject of a category with state. The state is serialized between checks, as in the
 * database.
 */
export function simulateSubject(category: Category, rules: unknown) {
  let stored: string | undefined;
  const state = (): unknown => (stored === undefined ? undefined : JSON.parse(stored));
  const keep = (next: unknown): void => {
    if (next !== undefined) stored = JSON.stringify(next);
  };
  return {
    check: (given: SituationOverrides): Evaluation | null => {
      const answer = evaluate(category, rules, { ...given, state: state() });
      if (answer && !refuses(answer.action)) keep(answer.state);
      return answer;
    },
    end: (given: SituationOverrides): Evaluation | null => {
      const ends: SituationOverrides = { phase: 'after_workflow', ...given };
      keep(category.ended?.(evaluationInput(category, rules, { ...ends, state: state() })));
      if (!category.phases.includes(ends.phase ?? 'after_workflow')) return null;
      return evaluate(category, rules, { ...ends, state: state() });
    },
    stored: () => stored,
  };
}

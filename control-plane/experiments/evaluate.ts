import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ItemInput } from '#contract/datasets.ts';
import type { Evaluator, Judge } from '#contract/evaluators.ts';
import type { Context } from '../context.ts';
import { storable } from '../otel/attributes.ts';
import { compileVariant } from '../playground/compare.ts';
import { type Requester, runModel } from '../playground/run.ts';
import { evaluateText, evaluatorError, type Verdict } from './evaluator-rules.ts';
import { judgeVariant, readJudgement } from './judge-rules.ts';
import { errorText } from './item-errors.ts';
import { type Budget, newBudget } from './json-schema/budget.ts';
import type { StoredScore } from './run-queries.ts';

export interface ItemToRun {
  input: ItemInput;
  /** Undefined if no output is expected. */
  expected: unknown;
}

export const INTERRUPTED =
  'interrupted: the experiment was cancelled, or paused, before the model answered';

export interface Evaluation {
  score: StoredScore;
  /** The cost of a judging model in USD. */
  cost: number;
}

type Output = ItemToRun & { output: string };

/** Returns the evaluations of one output, in the order of the evaluators. */
export async function evaluateAll(
  context: Context,
  evaluators: readonly Evaluator[],
  output: Output,
  requester: Requester,
): Promise<Evaluation[]> {
  const budget = newBudget();
  let before: Promise<unknown> = Promise.resolve();
  // Models judge concurrently. Evaluators that are computed here run one by one, and other work can
  // run in between.
  return Promise.all(
    evaluators.map((evaluator) => {
      const work = async () => evaluate(context, evaluator, { ...output, budget }, requester);
      if (evaluator.type === 'llm_judge') return work();
      const evaluation = before.then(() => setImmediate()).then(work);
      before = evaluation;
      return evaluation;
    }),
  );
}

/** Runs one evaluator. A failure counts for the evaluator, not for the item. */
async function evaluate(
  context: Context,
  evaluator: Evaluator,
  { budget, ...output }: Output & { budget: Budget },
  requester: Requester,
): Promise<Evaluation> {
  const scored = ({ passed, ...verdict }: Verdict, cost = 0): Evaluation => ({
    score: {
      ...verdict,
      name: evaluator.name,
      passed: passed === null ? null : Number(passed),
      reason: verdict.reason === null ? null : storable(verdict.reason),
      error: verdict.error === null ? null : storable(verdict.error),
    },
    cost,
  });
  try {
    if (evaluator.type !== 'llm_judge') return scored(evaluateText(evaluator, output, budget));
    const { verdict, cost } = await askJudge(context, evaluator, output, requester);
    return scored(verdict, cost);
  } catch (error) {
    if (requester.signal.aborted) return scored(evaluatorError(INTERRUPTED));
    return scored(evaluatorError(errorText(context, error)));
  }
}

async function askJudge(
  context: Context,
  judge: Judge,
  output: Output,
  requester: Requester,
): Promise<{ verdict: Verdict; cost: number }> {
  const variant = judgeVariant(judge, output, randomBytes(8).toString('hex'));
  if ('error' in variant) return { verdict: evaluatorError(variant.error), cost: 0 };
  const request = { ...compileVariant(variant), config: variant.config };
  const answer = await runModel(context, request, requester);
  return { verdict: readJudgement(answer.output, judge.scale), cost: answer.cost };
}

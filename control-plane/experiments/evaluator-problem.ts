import type { Evaluator } from '#contract/evaluators.ts';
import { compilePattern } from '#domain/redaction/patterns/pattern.ts';
import { judgeProblem } from './judge-rules.ts';

/** Why an evaluator cannot run on any output; undefined if it can. */
export function evaluatorProblem(evaluator: Evaluator): string | undefined {
  const problem = problemOf(evaluator);
  return problem && `evaluators: ${problem}`;
}

function problemOf(evaluator: Evaluator): string | undefined {
  if (evaluator.type === 'llm_judge') return judgeProblem(evaluator);
  if (evaluator.type !== 'regex') return undefined;
  const compiled = compilePattern(evaluator.name, evaluator.pattern);
  return 'error' in compiled ? `the pattern of "${evaluator.name}" ${compiled.error}` : undefined;
}

import type { Evaluator } from '#contract/evaluators.ts';
import { compileMatcher, LARGEST_TOGETHER } from '#domain/redaction/patterns/pattern.ts';
import { judgeProblem } from './judge-rules.ts';

/** Why evaluators cannot run on any output; undefined if they can. */
export function evaluatorProblem(evaluators: readonly Evaluator[]): string | undefined {
  let size = 0;
  for (const evaluator of evaluators)
    if (evaluator.type === 'llm_judge') {
      const problem = judgeProblem(evaluator);
      if (problem !== undefined) return `evaluators: ${problem}`;
    } else if (evaluator.type === 'regex') {
      const compiled = compileMatcher(evaluator.pattern);
      if ('error' in compiled)
        return `evaluators: the pattern of "${evaluator.name}" ${compiled.error}`;
      size += compiled.matcher.programSize();
    }
  return size > LARGEST_TOGETHER
    ? `evaluators: all patterns together are too complex: ${size} steps, at most ${LARGEST_TOGETHER}`
    : undefined;
}

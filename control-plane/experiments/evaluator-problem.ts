import type { Evaluator } from '#contract/evaluators.ts';
import { compileMatcher, MAX_TOTAL_PROGRAM_SIZE } from '#domain/redaction/patterns/pattern.ts';
import { compileSchema } from './json-schema/validate-json.ts';
import { judgeProblem } from './judge-rules.ts';

/** Returns why evaluators cannot run on any output; undefined if they can. */
export function evaluatorProblem(evaluators: readonly Evaluator[]): string | undefined {
  let size = 0;
  for (const evaluator of evaluators) {
    const looked = checkEvaluator(evaluator, MAX_TOTAL_PROGRAM_SIZE - size);
    if ('problem' in looked) return `evaluators: ${looked.problem}`;
    size += looked.patternSize;
    // Compiling the remaining ones as well would take long.
    if (size > MAX_TOTAL_PROGRAM_SIZE)
      return `evaluators: all patterns together are too complex: they have more than ${MAX_TOTAL_PROGRAM_SIZE} steps`;
  }
  return undefined;
}

function checkEvaluator(
  evaluator: Evaluator,
  maxPatternSize: number,
): { problem: string } | { patternSize: number } {
  switch (evaluator.type) {
    case 'llm_judge': {
      const problem = judgeProblem(evaluator);
      return problem === undefined ? { patternSize: 0 } : { problem };
    }
    case 'regex': {
      const compiled = compileMatcher(evaluator.pattern);
      if ('error' in compiled)
        return { problem: `the pattern of "${evaluator.name}" ${compiled.error}` };
      return { patternSize: compiled.matcher.programSize() };
    }
    case 'json_schema': {
      const compiled = compileSchema(evaluator.schema, maxPatternSize);
      if ('error' in compiled)
        return { problem: `the schema of "${evaluator.name}": ${compiled.error}` };
      return compiled;
    }
    default:
      return { patternSize: 0 };
  }
}

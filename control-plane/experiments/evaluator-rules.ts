import type { Evaluator, EvaluatorScore, Judge } from '#contract/evaluators.ts';
import { compileMatcher } from '#domain/redaction/patterns/pattern.ts';
import { textOf } from '../datasets/rules.ts';
import type { Budget } from './json-schema/budget.ts';
import { canonical, hasInfinity } from './json-schema/json-text.ts';
import { compileSchema, parsed, validate } from './json-schema/validate-json.ts';

/** The result of an evaluator, without its name. */
export type Verdict = Omit<EvaluatorScore, 'name'>;

/** An evaluator that needs only the texts. */
export type TextEvaluator = Exclude<Evaluator, Judge>;

export interface EvaluatedOutput {
  output: string;
  /** Undefined if no output is expected. */
  expected: unknown;
}

export const verdictOf = (passed: boolean, reason: string | null = null): Verdict => ({
  value: passed ? 1 : 0,
  passed,
  reason,
  error: null,
});

export const evaluatorError = (error: string): Verdict => ({
  value: null,
  passed: null,
  reason: null,
  error,
});

/**
 * The maximum of pattern instructions times output characters, because other work waits during a
 * match.
 */
const MAX_PATTERN_STEPS = 5_000_000;

const NOTHING_EXPECTED = 'the item has no expected output';

/**
 * Evaluates an output. Texts are compared without the white space around them. The budget is shared
 * by all schemas that the output is validated against.
 */
export function evaluateText(
  evaluator: TextEvaluator,
  { output, expected }: EvaluatedOutput,
  budget: Budget,
): Verdict {
  switch (evaluator.type) {
    case 'exact_match': {
      if (expected === undefined) return evaluatorError(NOTHING_EXPECTED);
      const [found, wanted] = inCase([output, textOf(expected)], evaluator);
      return verdictOf(found.trim() === wanted.trim());
    }
    case 'contains': {
      const text = evaluator.text ?? (expected === undefined ? undefined : textOf(expected));
      if (text === undefined) return evaluatorError(NOTHING_EXPECTED);
      // Every output contains blank text.
      if (text.trim() === '')
        return evaluatorError('the text that the output must contain is blank');
      const [found, wanted] = inCase([output, text], evaluator);
      return verdictOf(found.includes(wanted.trim()));
    }
    case 'regex': {
      const compiled = compileMatcher(evaluator.pattern);
      if ('error' in compiled) return evaluatorError(`the pattern ${compiled.error}`);
      const { matcher } = compiled;
      const longest = Math.floor(MAX_PATTERN_STEPS / matcher.programSize());
      if (output.length > longest)
        return evaluatorError(
          `the output has ${output.length} characters: the pattern is matched with at most ${longest}`,
        );
      return verdictOf(matcher.matcher(output).find());
    }
    case 'json_equal':
      return expected === undefined
        ? evaluatorError(NOTHING_EXPECTED)
        : equalJson(output, expected);
    case 'json_schema':
      return validJson(output, evaluator.schema, budget);
  }
}

const inCase = (texts: [string, string], { ignore_case }: { ignore_case: boolean }) =>
  ignore_case ? (texts.map((text) => text.toLowerCase()) as [string, string]) : texts;

/** Compares JSON. An expected text is parsed as JSON, and the order of members is ignored. */
function equalJson(output: string, expected: unknown): Verdict {
  const found = parsed(output);
  if (!found) return verdictOf(false, 'the output is not JSON');
  const wanted = typeof expected === 'string' ? parsed(expected) : { value: expected };
  if (!wanted) return evaluatorError('the expected output is not JSON');
  try {
    if (hasInfinity([found.value, wanted.value]))
      return evaluatorError('the JSON has a number that is out of range');
    return verdictOf(canonical(found.value) === canonical(wanted.value));
  } catch (error) {
    // The stack overflows before memory is exhausted.
    if (!(error instanceof RangeError)) throw error;
    return evaluatorError('the JSON is nested too deeply to be compared');
  }
}

/** The maximum length, because validating a longer output would make other work wait. */
const MAX_JSON_LENGTH = 1_000_000;

function validJson(output: string, schema: unknown, budget: Budget): Verdict {
  if (output.length > MAX_JSON_LENGTH)
    return evaluatorError(
      `the output has ${output.length} characters: at most ${MAX_JSON_LENGTH} are validated`,
    );
  const compiled = compileSchema(schema);
  if ('error' in compiled) return evaluatorError(compiled.error);
  const validation = validate(compiled, output, budget);
  switch (validation.kind) {
    case 'valid':
      return verdictOf(true);
    case 'invalid':
      return verdictOf(false, validation.reason);
    case 'aborted':
      return evaluatorError(validation.reason);
  }
}

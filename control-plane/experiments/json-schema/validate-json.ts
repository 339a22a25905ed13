import { MAX_TOTAL_PROGRAM_SIZE } from '#domain/redaction/patterns/pattern.ts';
import { applySchema } from './apply.ts';
import { type Budget, LimitReached, chargeSteps } from './budget.ts';
import { truncateForMessage, valueProblem } from './json-text.ts';
import { type ReadSchema, readSchema } from './read-schema.ts';
import { type Failure, type Path, SchemaProblem } from './schema-node.ts';

/** The maximum number of levels of arrays and objects. */
const MAX_DEPTH = 100;

/**
 * Compiles a JSON Schema of draft 2020-12, or returns why it cannot be used. `maxPatternSize` is
 * the size that the patterns of other schemas leave for this one.
 */
export function compileSchema(
  schema: unknown,
  maxPatternSize = MAX_TOTAL_PROGRAM_SIZE,
): ReadSchema | { error: string } {
  const problem = valueProblem(schema, MAX_DEPTH);
  if (problem !== undefined) return { error: `the schema ${problem}` };
  try {
    return readSchema(schema, maxPatternSize);
  } catch (error) {
    if (error instanceof SchemaProblem) return { error: error.message };
    throw error;
  }
}

export type Validation = { kind: 'valid' } | { kind: 'invalid' | 'aborted'; reason: string };

/** The number of characters that are read in one step. */
const CHARACTERS_OF_STEP = 10;

/** Validates that a text is JSON and matches a schema. Gives up if that would take too long. */
export function validate({ root }: ReadSchema, text: string, budget: Budget): Validation {
  try {
    // The validation of another schema may have been aborted at a greater depth.
    budget.depth = 0;
    chargeSteps(budget, Math.ceil(text.length / CHARACTERS_OF_STEP));
    const read = parsed(text);
    if (!read) return { kind: 'invalid', reason: 'the output is not JSON' };
    const problem = valueProblem(read.value, MAX_DEPTH);
    if (problem !== undefined) return { kind: 'aborted', reason: `the output ${problem}` };
    const { failure } = applySchema(root, { value: read.value, path: undefined }, budget);
    return failure ? { kind: 'invalid', reason: reasonOf(failure) } : { kind: 'valid' };
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return { kind: 'aborted', reason: error.message };
  }
}

/** Parses JSON; returns undefined if the text is not JSON. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const reasonOf = ({ path, expected }: Failure): string => `${placeOf(path)}: expected ${expected}`;

function placeOf(path: Path | undefined): string {
  if (path === undefined) return 'the output';
  if (path.isName)
    return `the name "${truncateForMessage(String(path.key))}" in ${placeOf(path.parent)}`;
  return truncateForMessage(pointerOf(path));
}

/** Returns a JSON pointer. */
const pointerOf = (path: Path | undefined): string =>
  path === undefined
    ? ''
    : `${pointerOf(path.parent)}/${String(path.key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

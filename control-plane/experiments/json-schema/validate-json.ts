import { apply } from './apply.ts';
import { LimitReached, newBudget } from './budget.ts';
import { isAtMostDeep } from './json-text.ts';
import { type ReadSchema, readSchema } from './read-schema.ts';
import { type Failure, type Path, SchemaProblem } from './schema-node.ts';

/** Levels of arrays and objects. */
const DEEPEST = 100;

/** Reads a JSON Schema of draft 2020-12, or says why it cannot be used. */
export function compileSchema(schema: unknown): ReadSchema | { error: string } {
  if (!isAtMostDeep(schema, DEEPEST))
    return { error: `the schema has more than ${DEEPEST} levels of arrays and objects` };
  try {
    return readSchema(schema);
  } catch (error) {
    if (error instanceof SchemaProblem) return { error: error.message };
    throw error;
  }
}

export type Validation = { kind: 'valid' } | { kind: 'invalid' | 'given up'; reason: string };

/** Is a value valid against a schema? Given up if that would take too long. */
export function validate({ root }: ReadSchema, value: unknown): Validation {
  if (!isAtMostDeep(value, DEEPEST))
    return {
      kind: 'given up',
      reason: `the output has more than ${DEEPEST} levels of arrays and objects`,
    };
  try {
    const { failure } = apply(root, { value, path: undefined }, newBudget());
    return failure ? { kind: 'invalid', reason: reasonOf(failure) } : { kind: 'valid' };
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return { kind: 'given up', reason: error.message };
  }
}

const MAX_POINTER = 200;

function reasonOf({ path, expected }: Failure): string {
  const pointer = pointerOf(path);
  const where = pointer === '' ? 'the output' : pointer.slice(0, MAX_POINTER);
  return `${where}: expected ${expected}`;
}

/** A JSON pointer. */
const pointerOf = (path: Path | undefined): string =>
  path === undefined
    ? ''
    : `${pointerOf(path.parent)}/${String(path.key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

import type { RE2JS } from 're2js';
import type { Budget } from './budget.ts';
import { shown } from './json-text.ts';

/** The position of a value in the output. */
export interface Path {
  parent: Path | undefined;
  key: string | number;
  /** The value is the key itself. */
  isName?: true;
}

export interface Failure {
  path: Path | undefined;
  /** The expected value, in words. */
  expected: string;
}

/** The members and items to which a schema applied other schemas: the rest is unevaluated. */
export interface Evaluated {
  members: Set<string>;
  items: Set<number>;
}

export interface Instance {
  value: unknown;
  path: Path | undefined;
  evaluated: Evaluated;
}

/** The failure of one keyword for a value; undefined if it is satisfied. */
export type Check = (instance: Instance, budget: Budget) => Failure | undefined;

/** A schema, made ready. `false` has a check that always fails. */
export interface SchemaNode {
  checks: Check[];
}

/** The schema is none, or one that is not supported. */
export class SchemaProblem extends Error {
  constructor(where: string, problem: string) {
    super(`${where === '' ? 'the schema' : shown(where)}: ${shown(problem)}`);
  }
}

/** Reads the parts of a schema. All throw `SchemaProblem`. */
export interface Reader {
  schema(value: unknown, where: string): SchemaNode;
  schemas(value: unknown, where: string): SchemaNode[];
  /** Schemas by name. */
  members(value: unknown, where: string): [name: string, node: SchemaNode][];
  /** The same pattern is compiled, and counts, once. */
  pattern(source: unknown, where: string): RE2JS;
  /** The schema that a `$ref` names. It is there once the whole schema is read. */
  reference(target: unknown, where: string): () => SchemaNode;
}

/** Reads a keyword. Its siblings are the other keywords of the schema. */
export type Keyword = (
  value: unknown,
  of: { reader: Reader; where: string; siblings: Readonly<Record<string, unknown>> },
) => Check | undefined;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const failureAt = ({ path }: Instance, expected: string): Failure => ({ path, expected });

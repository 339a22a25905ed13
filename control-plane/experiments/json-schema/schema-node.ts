import type { RE2JS } from 're2js';
import type { Budget } from './budget.ts';
import { truncateForMessage } from './json-text.ts';

/** The position of a value in the output. */
export interface Path {
  parent: Path | undefined;
  key: string | number;
  /** True if the value is the key itself. */
  isName?: true;
}

export interface Failure {
  path: Path | undefined;
  /** A description of the expected value. */
  expected: string;
}

/** The members and items to which a schema applied other schemas. The rest is unevaluated. */
export interface Evaluated {
  members: Set<string>;
  items: Set<number>;
}

export interface Instance {
  value: unknown;
  path: Path | undefined;
  evaluated: Evaluated;
}

/** Checks a value against one keyword. Returns the failure; undefined if the value is valid. */
export type Check = (instance: Instance, budget: Budget) => Failure | undefined;

/** A compiled schema. `false` has a check that always fails. */
export interface SchemaNode {
  checks: Check[];
}

/** The value is not a schema, or not a supported one. */
export class SchemaProblem extends Error {
  constructor(where: string, problem: string) {
    super(
      `${where === '' ? 'the schema' : truncateForMessage(where)}: ${truncateForMessage(problem)}`,
    );
  }
}

/** Reads the parts of a schema. All methods throw `SchemaProblem`. */
export interface Reader {
  schema(value: unknown, where: string): SchemaNode;
  schemas(value: unknown, where: string): SchemaNode[];
  /** Reads schemas by name. */
  members(value: unknown, where: string): [name: string, node: SchemaNode][];
  /** Compiles a pattern. A repeated pattern is compiled and counted once. */
  pattern(source: unknown, where: string): RE2JS;
  /**
   * Returns the schema that a `$ref` refers to. It is available once the whole schema has been
   * read.
   */
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

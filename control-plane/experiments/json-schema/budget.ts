import type { RE2JS } from 're2js';

/** Limits the work of validating one output, whatever the schemas and the output contain. */
export interface Budget {
  steps: number;
  /** The current nesting depth of applied schemas. */
  depth: number;
  /** Caches the member names of objects, so that they are listed once. */
  names: WeakMap<object, readonly string[]>;
}

/**
 * The maximum number of steps, because other requests wait during validation. A step is, for
 * example, one pattern instruction for one character.
 */
export const MAX_STEPS = 3_000_000;
/** The number of steps for applying a schema to a value. */
const STEPS_OF_SCHEMA = 10;
const MAX_DEPTH = 400;

/** Validation was aborted, so the output is neither valid nor invalid. */
export class LimitReached extends Error {}

export const newBudget = (): Budget => ({ steps: MAX_STEPS, depth: 0, names: new WeakMap() });

/**
 * Charges steps. Must be called before the work.
 *
 * @throws LimitReached
 */
export function chargeSteps(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0)
    throw new LimitReached('the schemas and the output together take too many steps to validate');
}

/**
 * Counts the nesting of applied schemas while it does the work.
 *
 * @throws LimitReached
 */
export function withDepth<T>(budget: Budget, work: () => T): T {
  chargeSteps(budget, STEPS_OF_SCHEMA);
  budget.depth += 1;
  if (budget.depth > MAX_DEPTH)
    throw new LimitReached('the schema refers to itself too often, or the output is too deep');
  const result = work();
  budget.depth -= 1;
  return result;
}

export function namesOf(object: object, budget: Budget): readonly string[] {
  const known = budget.names.get(object);
  if (known) return known;
  const names = Object.keys(object);
  budget.names.set(object, names);
  chargeSteps(budget, names.length);
  return names;
}

/** The number of steps for starting a match. */
const STEPS_OF_MATCH = 20;

/**
 * Whether a pattern matches anywhere in a text.
 *
 * @throws LimitReached
 */
export function matches(matcher: RE2JS, text: string, budget: Budget): boolean {
  chargeSteps(budget, STEPS_OF_MATCH + matcher.programSize() * (text.length + 1));
  return matcher.matcher(text).find();
}

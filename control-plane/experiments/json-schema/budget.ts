/** What an output costs that is validated, so that neither schemas nor an output take long. */
export interface Budget {
  steps: number;
  /** Schemas that are being applied within one another. */
  depth: number;
  /** The names of the members of an object are listed once. */
  names: WeakMap<object, readonly string[]>;
}

/** Others wait meanwhile. An instruction of a pattern that reads a character is a step. */
export const MOST_STEPS = 3_000_000;
/** What applying a schema to a value costs. */
const STEPS_OF_SCHEMA = 10;
const DEEPEST = 400;

/** Validating was given up: that says nothing about the output. */
export class LimitReached extends Error {}

export const newBudget = (): Budget => ({ steps: MOST_STEPS, depth: 0, names: new WeakMap() });

/** Before the work is done. @throws LimitReached */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0)
    throw new LimitReached('the schemas and the output together take too many steps to validate');
}

/** Counts schemas that are applied within one another. @throws LimitReached */
export function within<T>(budget: Budget, work: () => T): T {
  spend(budget, STEPS_OF_SCHEMA);
  budget.depth += 1;
  if (budget.depth > DEEPEST)
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
  spend(budget, names.length);
  return names;
}

/** What an output costs that is validated, so that neither a schema nor an output takes long. */
export interface Budget {
  steps: number;
  /** Schemas that are being applied within one another. */
  depth: number;
}

/** Others wait meanwhile. A character that a pattern of one step reads is a step. */
const MOST_STEPS = 5_000_000;
/** What applying a schema to a value costs. */
const STEPS_OF_SCHEMA = 10;
const DEEPEST = 400;

/** Validating was given up: that says nothing about the output. */
export class LimitReached extends Error {}

export const newBudget = (): Budget => ({ steps: MOST_STEPS, depth: 0 });

/** @throws LimitReached */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0)
    throw new LimitReached('the schema and the output together take too many steps to validate');
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

import type { RE2JS } from 're2js';
import { type Budget, spend } from './budget.ts';

/** What starting to match costs. */
const STEPS_OF_MATCH = 20;

/** Does a pattern match somewhere in a text? @throws LimitReached */
export function matches(matcher: RE2JS, text: string, budget: Budget): boolean {
  spend(budget, STEPS_OF_MATCH + matcher.programSize() * (text.length + 1));
  return matcher.matcher(text).find();
}

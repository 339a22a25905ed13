import type { Phase } from '#contract/policy-words.ts';
import { nanoUsd } from './money.ts';

/** Tokens or USD. */
export interface Spending {
  used: number;
  /** What is still to be spent, as far as the agent says. */
  expected?: number;
  max: number;
}

/** Who is about to start needs something to be left; who is under way may use all of it. */
export function exceeds({ used, expected = 0, max }: Spending, phase: Phase): boolean {
  if (phase === 'before_workflow' && nanoUsd(used) >= nanoUsd(max)) return true;
  return nanoUsd(used + expected) > nanoUsd(max);
}

/** Whole percent, rounded down. */
export const percentUsed = ({ used, max }: Spending): number =>
  Math.floor((nanoUsd(used) * 100) / nanoUsd(max));

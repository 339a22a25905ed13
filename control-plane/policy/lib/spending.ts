import type { Phase } from '#contract/policy-words.ts';
import { nanoUsd } from './money.ts';

/** Tokens or USD. */
export interface Spending {
  used: number;
  /** Further spending expected by the agent. */
  expected?: number;
  max: number;
}

/** A run can start only if something is left; an active run may use all of it. */
export function exceeds({ used, expected = 0, max }: Spending, phase: Phase): boolean {
  if (phase === 'before_workflow' && nanoUsd(used) >= nanoUsd(max)) return true;
  return nanoUsd(used + expected) > nanoUsd(max);
}

/** Whole percent, rounded down. */
export const percentUsed = ({ used, max }: Spending): number =>
  Math.floor((nanoUsd(used) * 100) / nanoUsd(max));

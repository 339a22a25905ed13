import type { Phase } from '#contract/policy-words.ts';

export const phaseNames: Record<Phase, string> = {
  before_workflow: 'Before',
  mid_execution: 'While running',
  after_workflow: 'After',
  on_failure: 'On failure',
};

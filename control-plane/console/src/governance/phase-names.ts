import type { Phase } from '#contract/policy-words.ts';

export const phaseNames: Record<Phase, string> = {
  before_workflow: 'Before run',
  mid_execution: 'During run',
  after_workflow: 'After run',
  on_failure: 'On failure',
};

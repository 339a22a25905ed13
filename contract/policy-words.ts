/** Terms shared by policies, their evaluations, and agents. */

export const phases = ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'] as const;
export type Phase = (typeof phases)[number];

/** Strictest first: the strictest of several actions applies. */
export const actions = ['block', 'throttle', 'skip', 'retry', 'redact', 'warn', 'allow'] as const;
export type Action = (typeof actions)[number];

/** The words that policies, their evaluations and the agents that ask share. */

export const phases = ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'] as const;
export type Phase = (typeof phases)[number];

/** Strictest first: of several answers the first of these counts. */
export const actions = ['block', 'throttle', 'skip', 'retry', 'redact', 'warn', 'allow'] as const;
export type Action = (typeof actions)[number];

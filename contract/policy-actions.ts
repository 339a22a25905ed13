/** Terms shared by policies, their evaluations, and agents. */

export const phases = ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'] as const;
export type Phase = (typeof phases)[number];

/** The actions, strictest first. The strictest of several actions applies. */
export const actions = ['block', 'throttle', 'skip', 'retry', 'redact', 'warn', 'allow'] as const;
export type Action = (typeof actions)[number];

/** The severities of policies and incidents, in ascending order. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

/**
 * The modes of a policy. `enforce`: the policy acts. `warn`: every finding is a warning, and no run
 * is stopped.
 */
export const policyModes = ['enforce', 'warn'] as const;
export type PolicyMode = (typeof policyModes)[number];

import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { policyFields, policyScope } from './policy-document.ts';
import { actions, phases } from './policy-actions.ts';

const draft = z.strictObject({
  category: policyFields.category,
  rules: policyFields.rules.default({}),
  scope: policyScope.prefault({}),
});

export const simulationRequest = z
  .strictObject({
    policy: draft.optional().meta({ description: 'a draft, instead of `policy_id`' }),
    policy_id: z.string().optional(),
    days: z.int().min(1).max(90).default(7),
  })
  .refine(({ policy, policy_id }) => (policy === undefined) !== (policy_id === undefined), {
    path: ['policy'],
    error: 'expected either a draft here or the id of a policy in `policy_id`',
  })
  .meta({
    examples: [{ policy: { category: 'rate-limit', rules: { max_per_hour: 20 } }, days: 30 }],
  });

const runCounts = {
  runs: count,
  not_allowed: count.meta({ description: 'runs with an action other than allow' }),
  would_stop: count.meta({ description: 'runs that would have been blocked at their start' }),
  would_interrupt: count.meta({ description: 'runs that would have been interrupted' }),
};

export const policySimulation = z.object({
  category: z.string(),
  days: count,
  since: timestamp,
  until: timestamp.meta({ description: 'if truncated, the start of the last examined run' }),
  runs_examined: count.meta({ description: 'runs started in this period' }),
  truncated: z.boolean().meta({ description: 'true: there are more runs than were examined' }),
  ...runCounts,
  runs: count.meta({ description: 'examined runs within the scope' }),
  by_action: z
    .object(Object.fromEntries(actions.map((action) => [action, count])))
    .meta({ description: 'runs by their strictest action' }),
  over_time: z
    .array(z.object({ start: timestamp, runs: count, not_allowed: count }))
    .meta({ description: 'runs within the scope by the UTC day of their start, in order' }),
  by_agent: z
    .array(z.object({ agent_name: z.string(), ...runCounts }))
    .meta({ description: 'at most 20, most actions other than allow first' }),
  examples: z
    .array(
      z.object({
        run_id: z.int(),
        agent_name: z.string(),
        workflow_name: z.string(),
        at: timestamp,
        phase: z.enum(phases),
        action: z.enum(actions),
        reason: z.string(),
      }),
    )
    .meta({ description: 'the first 20 actions other than allow' }),
  notes: z.array(z.string()).meta({ description: 'limitations of the simulation' }),
});
export type PolicySimulation = z.output<typeof policySimulation>;

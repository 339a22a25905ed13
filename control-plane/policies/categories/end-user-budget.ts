import { z } from 'zod';
import { category } from '../category.ts';
import { usd, exceedsLimit, percentUsed } from '../lib/spending.ts';

/**
 * Limits the spending of an end user in a calendar month. The budget is set on the end user or
 * group.
 */
export const endUserBudget = category({
  name: 'end-user-budget',
  summary: 'Enforces the monthly budgets of end users',
  rules: z.strictObject({
    enabled: z.boolean().default(true),
    action_on_exceed: z.enum(['block', 'warn', 'throttle']).default('block'),
    warning_threshold_percent: z.int().min(1).max(100).default(80),
  }),
  phases: ['before_workflow', 'mid_execution'],
  appliesToHeldCalls: true,
  reads: ['endUser'],
  evaluate({ rules, situation: { phase, intent }, facts: { endUser } }) {
    if (!rules.enabled || !endUser?.monthlyBudget) return null;
    const { id, monthCost: used, monthlyBudget: max } = endUser;
    const expected = phase === 'before_workflow' ? (intent.estimatedCost ?? 0) : 0;
    const spending = { used, expected, max };
    const metadata = {
      end_user_id: id,
      current: used,
      ...(expected > 0 && { expected }),
      limit: max,
    };
    const shares = `(${usd(used)}${expected > 0 ? ` + ${usd(expected)} expected` : ''} / ${usd(max)})`;
    if (exceedsLimit(spending, phase))
      return {
        action: rules.action_on_exceed,
        reason: `End-user '${id}' monthly budget exceeded ${shares}`,
        metadata,
      };
    const percent = percentUsed(spending);
    return phase === 'before_workflow' && percent >= rules.warning_threshold_percent
      ? {
          action: 'warn',
          reason: `End-user '${id}' monthly budget ${percent}% used ${shares}`,
          metadata,
        }
      : { action: 'allow', reason: 'Within monthly budget', metadata };
  },
});

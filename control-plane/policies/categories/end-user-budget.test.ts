import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type SituationOverrides,
  rulesProblem,
} from '#test/support/category-simulation.ts';
import { endUserBudget } from './end-user-budget.ts';

const spent = (
  monthCost: number,
  monthlyBudget: number | null,
  given: SituationOverrides = {},
): SituationOverrides => ({
  ...given,
  facts: { endUser: { id: 'eve', monthCost, monthlyBudget, requestsPerMinute: null } },
});
const during = { phase: 'mid_execution', run: {} } as const;
const WITHIN = 'Within monthly budget';

describe('end-user-budget', () => {
  test.each<[unknown, SituationOverrides, string, string?]>([
    [{}, spent(7.9, 10), 'allow', WITHIN],
    [{}, spent(8, 10), 'warn', "End-user 'eve' monthly budget 80% used ($8.000 / $10.000)"],
    [{}, spent(9.999, 10), 'warn', "End-user 'eve' monthly budget 99% used ($9.999 / $10.000)"],
    [{}, spent(10, 10), 'block', "End-user 'eve' monthly budget exceeded ($10.000 / $10.000)"],
    [{}, spent(12.5, 10), 'block', "End-user 'eve' monthly budget exceeded ($12.500 / $10.000)"],
    [
      { action_on_exceed: 'warn' },
      spent(12.5, 10),
      'warn',
      "End-user 'eve' monthly budget exceeded ($12.500 / $10.000)",
    ],
    [{ action_on_exceed: 'throttle' }, spent(12.5, 10), 'throttle'],
    [{ warning_threshold_percent: 50 }, spent(5, 10), 'warn'],
    [{ warning_threshold_percent: 100 }, spent(9.9, 10), 'allow'],
    [
      {},
      spent(1, 10, { intent: { estimatedCost: 9.5 } }),
      'block',
      "End-user 'eve' monthly budget exceeded ($1.000 + $9.500 expected / $10.000)",
    ],
    [{}, spent(1, 10, { intent: { estimatedCost: 9 } }), 'allow', WITHIN],
    [{}, spent(8, 10, during), 'allow', WITHIN],
    [{}, spent(10, 10, during), 'allow', WITHIN],
    [
      {},
      spent(10.001, 10, during),
      'block',
      "End-user 'eve' monthly budget exceeded ($10.001 / $10.000)",
    ],
    [{ action_on_exceed: 'throttle' }, spent(11, 10, during), 'throttle'],
    [{}, spent(1, 10, { ...during, intent: { estimatedCost: 100 } }), 'allow', WITHIN],
  ])('%j with %j: %s, %s', (rules, given, action, reason) => {
    expect(evaluate(endUserBudget, rules, given)).toMatchObject({
      action,
      ...(reason && { reason }),
    });
  });

  test.each<[string, unknown, SituationOverrides]>([
    ['off', { enabled: false }, spent(100, 10)],
    ['without a user', {}, {}],
    ['without a cap', {}, spent(100, null)],
    ['with a cap of 0', {}, spent(100, 0)],
  ])('returns no result %s', (_, rules, given) => {
    expect(evaluate(endUserBudget, rules, given)).toBeNull();
  });

  test('counts amounts below one cent', () => {
    let monthCost = 0;
    for (let i = 0; i < 1000; i += 1) monthCost += 0.0004;
    expect(evaluate(endUserBudget, {}, spent(monthCost, 0.4))).toEqual({
      action: 'block',
      reason: "End-user 'eve' monthly budget exceeded ($0.400 / $0.400)",
      metadata: { end_user_id: 'eve', current: monthCost, limit: 0.4 },
    });
  });

  test('is evaluated before and during runs', () => {
    expect(endUserBudget.phases).toEqual(['before_workflow', 'mid_execution']);
  });

  test.each<[unknown, string]>([
    [{ enabled: 1 }, 'enabled: '],
    [{ action_on_exceed: 'skip' }, 'action_on_exceed: '],
    [{ warning_threshold_percent: 0 }, 'warning_threshold_percent: '],
    [{ warning_threshold_percent: 101 }, 'warning_threshold_percent: '],
    [{ monthly_budget: 10 }, '"monthly_budget"'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(endUserBudget, rules)).toContain(message);
  });
});

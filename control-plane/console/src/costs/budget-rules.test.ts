import { expect, test } from 'vitest';
import type { Policy } from '../data/policy-sources.ts';
import {
  boundsOf,
  budgetsOf,
  forecastIn,
  groupingOf,
  sharedDailyLimit,
  spentOf,
} from './budget-rules.ts';
import type { PeriodBudget } from './budget-rules.ts';

const policy = (changes: object): Policy => ({
  id: 'pol_1',
  name: 'Daily budget',
  description: '',
  category: 'budget',
  enabled: true,
  priority: 100,
  severity: 'medium',
  mode: 'enforce',
  version: 1,
  created_at: '',
  updated_at: '',
  scope: {},
  rules: { daily_cost_limit: 5, action_on_exceed: 'warn', model_limits: {} },
  ...changes,
});

test('a policy has one budget for all models and one for each model that it limits', () => {
  const rules = {
    daily_cost_limit: 5,
    model_limits: { 'gpt-4o': { daily_cost_limit: 2 }, o3: { daily_token_limit: 9 } },
  };
  const found = budgetsOf([policy({ rules, scope: { agents: ['a'] } })]);
  expect(found.map(({ model, limit, agents, action }) => [model, limit, agents, action])).toEqual([
    [undefined, 5, ['a'], 'block'],
    ['gpt-4o', 2, ['a'], 'block'],
  ]);
});

test('disabled policies, policies of other categories and those without a cost limit have no budget', () => {
  const without = { rules: { daily_token_limit: 5, daily_cost_limit: null } };
  const policies = [{ enabled: false }, { category: 'safety' }, without].map(policy);
  expect(budgetsOf(policies)).toEqual([]);
});

test('a budget for several agents applies to each of them separately', () => {
  const [all] = budgetsOf([policy({})]);
  const [scoped] = budgetsOf([policy({ scope: { agents: ['a', 'b'] } })]);
  const spent = {
    groups: [
      { key: 'c', value: 9 },
      { key: 'b', value: 3 },
      { key: 'a', value: 1 },
    ],
    total: { value: 13 },
  };
  expect(spentOf(all!, spent)).toEqual({ cost: 13, by: undefined });
  expect(spentOf(scoped!, spent)).toEqual({ cost: 3, by: 'b' });
});

test('a model counts towards the longest matching name', () => {
  const model_limits = {
    'gpt-4o': { daily_cost_limit: 2 },
    'gpt-4o-mini': { daily_cost_limit: 1 },
  };
  const [large, small] = budgetsOf([policy({ rules: { model_limits } })]);
  const spent = {
    groups: [
      { key: 'gpt-4o-mini', value: 0.25 },
      { key: 'gpt-4o:2024', value: 1 },
      { key: 'gpt-4omni', value: 8 },
    ],
    total: { value: 9.25 },
  };
  expect(spentOf(large!, spent).cost).toBe(1);
  expect(spentOf(small!, spent).cost).toBe(0.25);
  expect(groupingOf({ ...large!, ofEachAgent: true, agents: ['a', 'b'] })).toBeUndefined();
});

test('a policy has a budget for each period that it limits, starting at midnight in its time zone', () => {
  const rules = { weekly_cost_limit: 7, monthly_cost_limit: 20, timezone: 'Europe/Berlin' };
  const [week, month] = budgetsOf([policy({ rules })]) as [PeriodBudget, PeriodBudget];
  expect([week.period, week.limit, month.period, month.limit]).toEqual(['week', 7, 'month', 20]);
  const now = Date.parse('2026-03-31T12:00:00Z');
  const iso = (at: number) => new Date(at).toISOString();
  expect(iso(boundsOf(week, now).start)).toBe('2026-03-29T22:00:00.000Z');
  expect(iso(boundsOf(month, now).start)).toBe('2026-02-28T23:00:00.000Z');
  // April begins in daylight saving time.
  expect(iso(boundsOf(month, now).end)).toBe('2026-03-31T22:00:00.000Z');
});

test('the forecast extrapolates the period so far, but not from its first hours', () => {
  const day = { start: 0, end: 24 };
  expect(forecastIn(day, 3, 6)).toBe(12);
  expect(forecastIn(day, 3, 0.5)).toBeUndefined();
  expect(forecastIn(day, 3, 30)).toBe(3);
});

test('the line in a chart is the lowest daily UTC budget that all agents share', () => {
  const berlin = { daily_cost_limit: 1, timezone: 'Europe/Berlin' };
  const scoped = { rules: { daily_cost_limit: 2 }, scope: { agents: ['a'] } };
  const all = [
    policy({}),
    policy({ rules: { daily_cost_limit: 9 } }),
    policy({ rules: berlin }),
    policy(scoped),
  ];
  expect(sharedDailyLimit(budgetsOf(all))).toBe(5);
  expect(sharedDailyLimit([])).toBeUndefined();
});

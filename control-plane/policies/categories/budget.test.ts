import { describe, expect, test } from 'vitest';
import type { Phase } from '#contract/policy-actions.ts';
import {
  evaluate,
  type SituationOverrides,
  rulesProblem,
} from '#test/support/category-simulation.ts';
import type { ObservedCall, Usage } from '../category.ts';
import { budget } from './budget.ts';

const models = {
  'gpt-4o': { tokens: 60, cost: 0.6 },
  'gpt-4o-mini': { tokens: 30, cost: 0.03 },
  'claude-sonnet-4-5': { tokens: 10, cost: 0.1 },
};
const today = (tokens: number, cost: number): SituationOverrides => ({
  facts: { today: { tokens, cost, models } satisfies Usage },
});
const calling = (...names: string[]): SituationOverrides => ({
  calls: names.map((model) => ({ model }) as ObservedCall),
});
const WITHIN = 'Within budget';
const result = (action: string, reason?: string, metadata?: object) => ({
  action,
  ...(reason && { reason }),
  ...(metadata && { metadata }),
});

describe('budget', () => {
  test.each<[unknown, SituationOverrides, string | null, string?, object?]>([
    [{}, today(1e9, 1e9), null],
    [{ daily_token_limit: null, daily_cost_limit: null }, today(1e9, 1e9), null],
    [{ per_workflow_token_limit: 1, per_workflow_cost_limit: 1 }, today(1e9, 1e9), null],
    [
      { daily_token_limit: 100 },
      today(79, 0),
      'allow',
      WITHIN,
      { rule: 'daily_token_limit', current: 79, limit: 100 },
    ],
    [{ daily_token_limit: 100 }, today(80, 0), 'warn', 'Daily token limit 80% used (80/100)'],
    [{ daily_token_limit: 100 }, today(99, 0), 'warn', 'Daily token limit 99% used (99/100)'],
    [
      { daily_token_limit: 100 },
      today(100, 0),
      'block',
      'Daily token limit reached (100/100)',
      { rule: 'daily_token_limit', current: 100, limit: 100 },
    ],
    [{ daily_token_limit: 100, warning_threshold_percent: 50 }, today(50, 0), 'warn'],
    [{ daily_token_limit: 100, warning_threshold_percent: 100 }, today(99, 0), 'allow'],
    [{ daily_cost_limit: 1 }, today(0, 0.799_999), 'allow', WITHIN],
    [{ daily_cost_limit: 1 }, today(0, 0.8), 'warn', 'Daily cost limit 80% used ($0.800/$1.000)'],
    [
      { daily_cost_limit: 0.3 },
      today(0, 0.1 + 0.2),
      'block',
      'Daily cost limit reached ($0.300/$0.300)',
    ],
    [{ daily_cost_limit: 0.3 }, today(0, 0.1 * 3 - 1e-12), 'block'],
    [
      { daily_cost_limit: 0.0005 },
      today(0, 0.000_42),
      'warn',
      'Daily cost limit 84% used ($0.00042/$0.0005)',
      { rule: 'daily_cost_limit', current: 0.000_42, limit: 0.0005 },
    ],
    [
      { daily_cost_limit: 1, action_on_exceed: 'warn' },
      today(0, 2),
      'warn',
      'Daily cost limit reached ($2.000/$1.000)',
    ],
    [{ daily_cost_limit: 1, action_on_exceed: 'throttle' }, today(0, 2), 'throttle'],
    [{ daily_cost_limit: 1, action_on_exceed: 'block' }, today(0, 2), 'block'],
    [
      { daily_token_limit: 1000, daily_cost_limit: 1 },
      today(900, 0.85),
      'warn',
      'Daily token limit 90% used (900/1000)',
    ],
    [
      { daily_token_limit: 1000, daily_cost_limit: 1 },
      today(850, 0.95),
      'warn',
      'Daily cost limit 95% used ($0.950/$1.000)',
    ],
    [
      { daily_token_limit: 10, daily_cost_limit: 1 },
      today(10, 1),
      'block',
      'Daily token limit reached (10/10)',
    ],
  ])(
    'before a run, the rules %j with the facts %j: %s',
    (rules, given, action, reason, metadata) => {
      const answer = evaluate(budget, rules, given);
      expect({ answer }).toMatchObject({ answer: action && result(action, reason, metadata) });
    },
  );

  test.each<[unknown, number, string, string, object?]>([
    [{ daily_cost_limit: 1 }, 0.5, 'allow', WITHIN],
    [
      { daily_cost_limit: 1 },
      0.75,
      'block',
      'Daily cost limit would be exceeded ($0.500 + $0.750 expected/$1.000)',
      { rule: 'daily_cost_limit', current: 0.5, expected: 0.75, limit: 1 },
    ],
    [{ per_workflow_cost_limit: 2 }, 2, 'allow', WITHIN],
    [
      { per_workflow_cost_limit: 2 },
      2.5,
      'block',
      'Workflow cost limit would be exceeded ($0.000 + $2.500 expected/$2.000)',
    ],
  ])(
    'compares %j with an expected cost of %d USD after half a dollar was spent',
    (rules, estimatedCost, action, reason, metadata) => {
      const given = { ...today(0, 0.5), intent: { estimatedCost } };
      expect(evaluate(budget, rules, given)).toMatchObject(result(action, reason, metadata));
      const running = { ...given, phase: 'mid_execution', run: { cost: 0 } } as const;
      expect(evaluate(budget, rules, running)?.action).toBe('allow');
    },
  );

  test.each<[object, SituationOverrides, string | null, string]>([
    [{ 'gpt-4o': { daily_cost_limit: 5 } }, {}, 'allow', WITHIN],
    [
      { 'gpt-4o': { daily_cost_limit: 0.63 } },
      {},
      'block',
      'Daily cost limit of gpt-4o reached ($0.630/$0.630)',
    ],
    [
      { 'gpt-4o': { daily_token_limit: 100 } },
      {},
      'warn',
      'Daily token limit of gpt-4o 90% used (90/100)',
    ],
    [
      { 'gpt-4o': { daily_token_limit: 100 }, 'gpt-4o-mini': { daily_token_limit: 100 } },
      {},
      'allow',
      WITHIN,
    ],
    [
      { 'gpt-4o': { daily_token_limit: 100 }, 'gpt-4o-mini': { daily_token_limit: 30 } },
      {},
      'block',
      'Daily token limit of gpt-4o-mini reached (30/30)',
    ],
    [
      { 'gpt-4o': { daily_token_limit: 1 } },
      { intent: { models: ['claude-sonnet-4-5'] } },
      null,
      '',
    ],
    [
      { 'gpt-4o': { daily_token_limit: 1 } },
      { intent: { models: ['gpt-4o-mini'] } },
      'block',
      'Daily token limit of gpt-4o reached (90/1)',
    ],
    [
      { 'gpt-4o': { daily_token_limit: 1 } },
      { phase: 'mid_execution', ...calling('gpt-4o:2024-08-06') },
      'block',
      'Daily token limit of gpt-4o reached (90/1)',
    ],
    [
      { 'gpt-4o': { daily_token_limit: 1 } },
      { phase: 'mid_execution', ...calling('claude-sonnet-4-5') },
      null,
      '',
    ],
    [
      { 'gpt-4o': { daily_token_limit: 1 } },
      { phase: 'mid_execution' },
      'block',
      'Daily token limit of gpt-4o reached (90/1)',
    ],
    [
      { gpt: { daily_token_limit: 1 }, claude: {} },
      { intent: { models: ['claude-sonnet-4-5'] } },
      null,
      '',
    ],
    [{ mistral: { daily_token_limit: 1 } }, {}, 'allow', WITHIN],
  ])('models: the rules %j with %j: %s', (model_limits, given, action, reason) => {
    const answer = evaluate(budget, { model_limits }, { ...today(100, 0.73), ...given });
    expect({ answer }).toMatchObject({ answer: action && result(action, reason) });
  });

  test('names the model in the metadata', () => {
    const rules = { model_limits: { 'gpt-4o': { daily_cost_limit: 0.5 } } };
    expect(evaluate(budget, rules, today(0, 0))?.metadata).toEqual({
      rule: 'daily_cost_limit',
      model: 'gpt-4o',
      current: 0.63,
      limit: 0.5,
    });
  });

  const both = { per_workflow_token_limit: 100, per_workflow_cost_limit: 1 };
  test.each<[Phase, unknown, SituationOverrides, string | null, string?]>([
    ['mid_execution', {}, { run: { tokens: 1e9, cost: 1e9 } }, null],
    ['mid_execution', both, { run: { tokens: 100, cost: 1 } }, 'allow', WITHIN],
    [
      'mid_execution',
      both,
      { run: { tokens: 101, cost: 1 } },
      'block',
      'Workflow exceeded token limit (101/100)',
    ],
    [
      'mid_execution',
      both,
      { run: { tokens: 1, cost: 1.0004 } },
      'block',
      'Workflow exceeded cost limit ($1.000/$1.000)',
    ],
    [
      'mid_execution',
      { ...both, action_on_exceed: 'throttle' },
      { run: { tokens: 101 } },
      'throttle',
    ],
    ['mid_execution', { ...both, action_on_exceed: 'warn' }, { run: { tokens: 101 } }, 'warn'],
    ['mid_execution', both, { run: { tokens: 95 } }, 'allow', WITHIN],
    ['mid_execution', { daily_token_limit: 100 }, today(100, 0), 'allow', WITHIN],
    [
      'mid_execution',
      { daily_token_limit: 100 },
      today(101, 0),
      'block',
      'Daily token limit reached (101/100)',
    ],
    [
      'mid_execution',
      { daily_cost_limit: 1 },
      today(0, 1.5),
      'block',
      'Daily cost limit reached ($1.500/$1.000)',
    ],
    ['after_workflow', both, { run: { tokens: 100, cost: 1 } }, 'allow', WITHIN],
    [
      'after_workflow',
      both,
      { run: { tokens: 101 } },
      'warn',
      'Workflow exceeded token limit (101/100)',
    ],
    [
      'after_workflow',
      both,
      { run: { cost: 1.5 } },
      'warn',
      'Workflow exceeded cost limit ($1.500/$1.000)',
    ],
    ['after_workflow', { daily_token_limit: 1 }, { ...today(9, 0), run: { tokens: 9 } }, null],
    ['on_failure', both, { run: { tokens: 100 } }, 'allow', WITHIN],
    [
      'on_failure',
      both,
      { run: { tokens: 101 } },
      'warn',
      'Workflow exceeded token limit (101/100)',
    ],
  ])('%s, the rules %j with %j: %s', (phase, rules, given, action, reason) => {
    const answer = evaluate(budget, rules, { run: {}, ...given, phase });
    expect({ answer }).toMatchObject({ answer: action && result(action, reason) });
  });

  test.each<[unknown, string]>([
    [{ daily_token_limit: 0 }, 'daily_token_limit: '],
    [{ daily_token_limit: 1.5 }, 'daily_token_limit: '],
    [{ daily_cost_limit: 0 }, 'daily_cost_limit: '],
    [{ daily_cost_limit: '5' }, 'daily_cost_limit: '],
    [{ per_workflow_token_limit: -1 }, 'per_workflow_token_limit: '],
    [{ per_workflow_cost_limit: -0.5 }, 'per_workflow_cost_limit: '],
    [{ warning_threshold_percent: 0 }, 'warning_threshold_percent: '],
    [{ warning_threshold_percent: 101 }, 'warning_threshold_percent: '],
    [{ warning_threshold_percent: 80.5 }, 'warning_threshold_percent: '],
    [{ action_on_exceed: 'redact' }, 'action_on_exceed: '],
    [{ model_limits: [] }, 'model_limits: '],
    [{ model_limits: { 'gpt-4': 5 } }, 'model_limits.gpt-4: '],
    [
      { model_limits: { 'gpt-4': { daily_cost_limit: -5 } } },
      'model_limits.gpt-4.daily_cost_limit: ',
    ],
    [{ model_limits: { 'gpt-4': { monthly: 5 } } }, '"monthly"'],
    [{ yearly_cost_limit: 5 }, '"yearly_cost_limit"'],
    [{ monthly_cost_limit: 0 }, 'monthly_cost_limit: '],
    [{ timezone: 'Mars/Olympus' }, 'timezone: expected an IANA time zone'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(budget, rules)).toContain(message);
  });

  const used = (cost: number, tokens = 0) => ({ tokens, cost, models });

  test('weeks and months have separate limits, also by model', () => {
    const facts = { today: used(1), week: used(6), month: used(20, 900) };
    const of = (rules: object) => evaluate(budget, rules, { facts })?.reason;
    expect(of({ daily_cost_limit: 2, weekly_cost_limit: 6 })).toBe(
      'Weekly cost limit reached ($6.000/$6.000)',
    );
    expect(of({ weekly_cost_limit: 10, monthly_cost_limit: 25 })).toBe(
      'Monthly cost limit 80% used ($20.000/$25.000)',
    );
    expect(of({ monthly_token_limit: 900 })).toBe('Monthly token limit reached (900/900)');
    expect(of({ model_limits: { 'gpt-4o': { monthly_cost_limit: 0.6 } } })).toMatch(
      /^Monthly cost limit of gpt-4o reached/,
    );
  });
});

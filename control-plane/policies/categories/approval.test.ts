import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type SituationOverrides,
  NOON,
  rulesProblem,
  simulateSubject,
} from '#test/support/category-simulation.ts';
import type { ApprovalFacts } from '../../approvals/rules.ts';
import type { PolicyFacts } from '../category.ts';
import { approval } from './approval.ts';

const MINUTE = 60_000;

/** The facts about the latest request for an action, which Ada decided unless it is pending. */
const decided = (
  status: ApprovalFacts['status'],
  actionType = 'deploy',
  id = 'apr_1',
): Partial<PolicyFacts> => ({
  approval: {
    latest: new Map([[actionType, { id, status, decidedBy: status === 'pending' ? null : 'Ada' }]]),
    approvedUntil: new Map(status === 'approved' ? [[actionType, NOON + 30 * MINUTE]] : []),
  },
});

const requires = (actionType: string, what: string) => {
  const reason = `${what} requires approval before execution`;
  return {
    action: 'block',
    reason,
    metadata: { approvers: [], timeout: 30, action_type: actionType },
    approval: { actionType, reason, approvers: [], timeoutMinutes: 30 },
  };
};
const deploy: SituationOverrides = { workflow: 'deploy' };
const free = { action: 'allow', reason: 'No approval required' };

describe('approval before a start', () => {
  test.each<[unknown, SituationOverrides, unknown]>([
    [{}, {}, free],
    [{}, deploy, requires('deploy', "Workflow 'deploy'")],
    [{}, { workflow: 'deploy-all' }, free],
    [{}, { intent: { actionType: 'payment' } }, requires('payment', "Action 'payment'")],
    [{}, { intent: { actionType: 'read' } }, free],
    [{}, { intent: { tools: ['search', 'delete'] } }, requires('delete', "Tool 'delete'")],
    [{}, { intent: { tools: ['mcp:files:delete'] } }, requires('delete', "Tool 'delete'")],
    [{ require_approval_for: [] }, deploy, free],
    [{ require_approval_for: ['session-start'] }, {}, requires('session-start', 'Session start')],
    [{}, { intent: { estimatedCost: 100 } }, free],
    [
      {},
      { intent: { estimatedCost: 100.01 } },
      requires('cost-threshold', 'Cost of $100.010 (threshold $100.000)'),
    ],
    [
      { cost_threshold: 0 },
      { intent: { estimatedCost: 0.01 } },
      requires('cost-threshold', 'Cost of $0.010 (threshold $0.000)'),
    ],
  ])('with the rules %j and the situation %j', (rules, given, expected) => {
    expect(evaluate(approval, rules, given)).toEqual(expected);
  });

  test.each([
    ['none', 'low', 'allow'],
    ['low', 'low', 'block'],
    ['low', 'medium', 'allow'],
    ['high', 'critical', 'allow'],
    ['critical', 'critical', 'block'],
    ['none', 'none', 'block'],
    [null, 'critical', 'block'],
  ] as const)(
    'an action of risk %s with automatic approval below %s: %s',
    (riskLevel, below, action) => {
      const rules = { auto_approve_below_risk: below };
      const given = { intent: { actionType: 'payment', riskLevel } };
      expect(evaluate(approval, rules, given)?.action).toBe(action);
    },
  );
});

describe('decisions', () => {
  const start = (status: ApprovalFacts['status'], rules = {}) =>
    evaluate(approval, rules, { ...deploy, facts: decided(status) });

  test('a pending request is not created again', () => {
    const { approval: _, ...pending } = requires('deploy', "Workflow 'deploy'");
    expect(start('pending')).toEqual({
      ...pending,
      metadata: { ...pending.metadata, approval_id: 'apr_1' },
    });
  });

  test('an approved request lets the run start', () => {
    expect(start('approved')).toEqual({
      action: 'allow',
      reason: "Workflow 'deploy' approved by Ada",
      metadata: { action_type: 'deploy', approval_id: 'apr_1', approved_by: 'Ada' },
      state: { used: ['apr_1'] },
    });
  });

  test('a denied request blocks the run', () => {
    expect(start('denied')).toMatchObject({
      action: 'block',
      reason: "Workflow 'deploy' was denied approval by Ada",
      metadata: { approval_id: 'apr_1', timeout: 30, action_type: 'deploy' },
    });
    expect(start('denied')?.approval).toBeUndefined();
  });

  test('an expired request is created again', () => {
    const again = requires('deploy', "Workflow 'deploy'");
    expect(start('expired')).toEqual({
      ...again,
      reason: `${again.reason}: the last request expired without a decision`,
    });
  });

  test('an expired request only warns if the policy says so', () => {
    expect(start('expired', { action_on_timeout: 'warn' })).toMatchObject({
      action: 'warn',
      reason: "Workflow 'deploy' without approval: no decision in time",
      state: { used: ['apr_1'] },
    });
    expect(start('pending', { action_on_timeout: 'warn' })?.action).toBe('block');
  });

  test('one approval lets one run start', () => {
    const { check } = simulateSubject(approval, {});
    const facts = decided('approved');
    expect(check({ ...deploy, facts })?.action).toBe('allow');
    expect(check({ ...deploy, facts })).toEqual(requires('deploy', "Workflow 'deploy'"));
    const next = decided('approved', 'deploy', 'apr_2');
    expect(check({ ...deploy, facts: next })?.action).toBe('allow');
    expect(check({ ...deploy, facts: next })?.action).toBe('block');
  });

  test('if two approvals are needed, they are used only once both are granted', () => {
    const { check, stored } = simulateSubject(approval, {});
    const both = { ...deploy, intent: { actionType: 'payment' } };
    expect(check({ ...both, facts: decided('approved') })).toEqual(
      requires('payment', "Action 'payment'"),
    );
    expect(stored()).toBeUndefined();
    const latest = new Map([
      ['deploy', { id: 'apr_1', status: 'approved', decidedBy: 'Ada' } as const],
      ['payment', { id: 'apr_2', status: 'approved', decidedBy: 'Bob' } as const],
    ]);
    const facts = { approval: { latest, approvedUntil: new Map<string, number>() } };
    expect(check({ ...both, facts })).toMatchObject({
      action: 'allow',
      reason: "Workflow 'deploy', Action 'payment' approved by Ada, Bob",
      state: { used: ['apr_1', 'apr_2'] },
    });
  });
});

describe('during a run', () => {
  const mid: SituationOverrides = { phase: 'mid_execution', run: { startedAt: NOON - 5 * MINUTE } };
  const tools = [{ name: 'deploy', server: null, input: null, output: null }];

  test.each<[string, SituationOverrides, unknown]>([
    ['nothing of the kind', { ...mid, tools: [] }, null],
    ['a tool', { ...mid, tools }, requires('deploy', "Tool 'deploy'")],
    [
      'its cost',
      { ...mid, run: { cost: 120 } },
      requires('cost-threshold', 'Cost of $120.000 (threshold $100.000)'),
    ],
    ['its name was for the start', { ...mid, workflow: 'deploy' }, null],
    ['what was approved, used or not', { ...mid, tools, facts: decided('approved') }, null],
  ])('%s', (_, given, expected) => {
    expect(evaluate(approval, {}, { state: { used: ['apr_1'] }, ...given })).toEqual(expected);
  });

  test('an approval that expired before the run began does not cover it', () => {
    const facts = {
      approval: { latest: new Map(), approvedUntil: new Map([['deploy', NOON - 6 * MINUTE]]) },
    };
    expect(evaluate(approval, {}, { ...mid, tools, facts })?.action).toBe('block');
  });

  test.each(['after_workflow', 'on_failure'] as const)(
    'a missing approval is reported %s',
    (phase) => {
      const ended: SituationOverrides = { ...deploy, phase, run: { startedAt: NOON } };
      expect(evaluate(approval, {}, ended)).toEqual({
        action: 'warn',
        reason: "Workflow 'deploy' ran without approval",
        metadata: { approvers: [], timeout: 30, action_type: 'deploy' },
      });
      expect(evaluate(approval, {}, { ...ended, facts: decided('approved') })).toBeNull();
      expect(evaluate(approval, {}, { ...ended, workflow: 'w' })).toBeNull();
    },
  );
});

test.each([
  [{ require_approval_for: 'deploy' }, 'require_approval_for: '],
  [{ require_approval_for: [''] }, 'require_approval_for[0]: '],
  [{ cost_threshold: -1 }, 'cost_threshold: '],
  [{ approvers: [7] }, 'approvers[0]: '],
  [{ timeout_minutes: 0 }, 'timeout_minutes: '],
  [{ timeout_minutes: 10_081 }, 'timeout_minutes: '],
  [{ action_on_timeout: 'allow' }, 'action_on_timeout: '],
  [{ auto_approve_below_risk: 'tiny' }, 'auto_approve_below_risk: '],
  [{ approver: [] }, 'rules: Unrecognized key: "approver"'],
])('rejects %j: %s', (rules, message) => {
  expect(rulesProblem(approval, rules)).toContain(message);
});

test('fills in defaults for all rules', () => {
  expect(approval.rules.parse({})).toEqual({
    require_approval_for: ['deploy', 'delete', 'payment'],
    cost_threshold: 100,
    approvers: [],
    timeout_minutes: 30,
    action_on_timeout: 'block',
    auto_approve_below_risk: 'low',
  });
});

import { describe, expect, test } from 'vitest';
import { NO_FACTS, situationOf } from '../situation.ts';
import {
  evaluate,
  type SituationOverrides,
  NOON,
  rulesProblem,
  simulateSubject,
} from '#test/support/category-simulation.ts';
import type { ObservedCall, ObservedTool } from '../category.ts';
import { safety } from './safety.ts';

const tool = (name: string): ObservedTool => ({ name, server: null, input: null, output: null });
const mid = (more: SituationOverrides = {}): SituationOverrides => ({
  phase: 'mid_execution',
  run: {},
  ...more,
});
const after = (more: SituationOverrides = {}): SituationOverrides => ({
  phase: 'after_workflow',
  run: {},
  ...more,
});
const called = (prompt: string, response: string): SituationOverrides =>
  mid({ calls: [{ model: 'm', prompt, response } as ObservedCall] });
const fine = { action: 'allow', reason: 'Within safety bounds' };
const counts = (stepCount: number, toolCallCount: number, retryCount: number) => ({
  run: { stepCount, toolCallCount, retryCount },
});

describe('before a run', () => {
  test.each<[unknown, SituationOverrides, string, string]>([
    [{}, {}, 'allow', 'Within safety bounds'],
    [{ blocked_tools: ['rm'] }, { intent: { tools: ['ls'] } }, 'allow', 'Within safety bounds'],
    [{ blocked_tools: ['rm'] }, { intent: { tools: ['rmdir'] } }, 'allow', 'Within safety bounds'],
    [
      { blocked_tools: ['rm', 'dd'] },
      { intent: { tools: ['dd', 'rm'] } },
      'block',
      "Tool 'rm' is blocked; Tool 'dd' is blocked",
    ],
    [
      { content_filters: ['pii'] },
      { intent: { inputs: 'jane@example.com' } },
      'warn',
      'Input content violations: PII detected: email',
    ],
    [
      { content_filters: ['credentials', 'profanity'] },
      { intent: { inputs: ['password=hunter22', 'bullshit'] } },
      'warn',
      'Input content violations: Credentials detected: password; Profanity detected',
    ],
    [
      { content_filters: ['profanity'] },
      { intent: { inputs: 'Scunthorpe, a classic assessment' } },
      'allow',
      'Within safety bounds',
    ],
    [
      { require_human_approval: true },
      {},
      'block',
      'Session start requires approval before execution',
    ],
    [
      { approval_tools: ['send'] },
      { intent: { tools: ['send'] } },
      'block',
      "Tool 'send' requires approval before execution",
    ],
    [
      { approval_tools: ['send'] },
      { intent: { tools: ['read'] } },
      'allow',
      'Within safety bounds',
    ],
  ])('the rules %j with %j: %s, %s', (rules, given, action, reason) => {
    expect(evaluate(safety, rules, given)).toMatchObject({ action, reason });
  });

  test('requests an approval, which lets one run start', () => {
    const { check } = simulateSubject(safety, { require_human_approval: true });
    const requested = check({});
    expect(requested).toMatchObject({
      metadata: { approvers: [], timeout: 30, action_type: 'session-start' },
      approval: { actionType: 'session-start', timeoutMinutes: 30 },
    });
    const latest = new Map([
      ['session-start', { id: 'apr_1', status: 'approved', decidedBy: 'Ada' } as const],
    ]);
    const facts = { approval: { latest, approvedUntil: new Map<string, number>() } };
    expect(check({ facts })).toMatchObject({
      action: 'allow',
      reason: 'Session start approved by Ada',
    });
    expect(check({ facts })?.action).toBe('block');
  });

  test('requests no approval for a run that is blocked anyway', () => {
    const rules = { require_human_approval: true, blocked_tools: ['rm'] };
    const answer = evaluate(safety, rules, { intent: { tools: ['rm'] } });
    expect(answer).toMatchObject({ action: 'block', reason: "Tool 'rm' is blocked" });
    expect(answer?.approval).toBeUndefined();
  });
});

describe('during a run', () => {
  test.each<[unknown, SituationOverrides, string, string]>([
    [{}, mid(counts(50, 100, 3)), 'allow', 'Within safety bounds'],
    [{}, mid(counts(51, 0, 0)), 'block', 'Step limit exceeded (51/50)'],
    [{}, mid(counts(0, 101, 0)), 'block', 'Tool call limit exceeded (101/100)'],
    [{}, mid(counts(0, 0, 4)), 'block', 'Retry limit exceeded (4/3)'],
    [
      { max_steps: 0, max_retries: 0 },
      mid(counts(1, 0, 1)),
      'block',
      'Step limit exceeded (1/0); Retry limit exceeded (1/0)',
    ],
    [{ blocked_tools: ['rm'] }, mid({ tools: [tool('rm')] }), 'block', "Tool 'rm' is blocked"],
    [
      { approval_tools: ['rm'] },
      mid({ tools: [tool('rm')] }),
      'block',
      "Tool 'rm' requires approval before execution",
    ],
    [{ require_human_approval: true }, mid(), 'allow', 'Within safety bounds'],
    [
      { content_filters: ['pii'] },
      called('jane@example.com', '123-45-6789'),
      'warn',
      'Prompt content violations: PII detected: email; Response content violations: PII detected: ssn',
    ],
    [
      { max_output_length: 3 },
      called('four', 'four'),
      'warn',
      'Response content violations: Too long: 4/3',
    ],
  ])('the rules %j with %j: %s, %s', (rules, given, action, reason) => {
    expect(evaluate(safety, rules, given)).toMatchObject({ action, reason });
  });

  test('an approved tool is allowed for the whole run', () => {
    const approvedUntil = new Map([['rm', NOON + 1]]);
    const facts = { approval: { latest: new Map(), approvedUntil } };
    const given = mid({ tools: [tool('rm')], facts });
    expect(evaluate(safety, { approval_tools: ['rm'] }, given)).toEqual(fine);
  });

  test('each finding is reported with its numbers', () => {
    const answer = evaluate(
      safety,
      { blocked_tools: ['rm'] },
      {
        ...mid(counts(51, 0, 0)),
        tools: [tool('rm')],
      },
    );
    expect(answer?.metadata).toMatchObject({
      findings: [
        { action: 'block', reason: "Tool 'rm' is blocked", tool: 'rm' },
        {
          action: 'block',
          reason: 'Step limit exceeded (51/50)',
          rule: 'max_steps',
          current: 51,
          limit: 50,
        },
      ],
    });
  });
});

describe('findings at the end of a run are warnings', () => {
  test.each<[unknown, SituationOverrides, string]>([
    [
      {},
      after(counts(51, 101, 4)),
      'Step limit exceeded (51/50); Tool call limit exceeded (101/100); Retry limit exceeded (4/3)',
    ],
    [
      { content_filters: ['pii'] },
      after({ result: { to: 'jane@example.com' } }),
      'Output content violations: PII detected: email',
    ],
    [
      { max_output_length: 3 },
      after({ result: 'four' }),
      'Output content violations: Too long: 4/3',
    ],
    [{ require_human_approval: true }, after(), 'Session start without approval'],
    [{}, { ...after(counts(51, 0, 0)), phase: 'on_failure' }, 'Step limit exceeded (51/50)'],
  ])('the rules %j with %j: %s', (rules, given, reason) => {
    expect(evaluate(safety, rules, given)).toMatchObject({ action: 'warn', reason });
  });

  test('an allowed run without findings', () => {
    expect(evaluate(safety, {}, after({ result: 'fine' }))).toEqual(fine);
  });
});

test.each([
  [{ max_retries: -1 }, 'max_retries: '],
  [{ max_steps: 1.5 }, 'max_steps: '],
  [{ max_tool_calls: '9' }, 'max_tool_calls: '],
  [{ blocked_tools: 'rm' }, 'blocked_tools: '],
  [{ require_human_approval: 'yes' }, 'require_human_approval: '],
  [{ approval_tools: [''] }, 'approval_tools[0]: '],
  [{ content_filters: ['politics'] }, 'content_filters[0]: '],
  [{ max_output_length: 0 }, 'max_output_length: '],
  [{ max_loops: 4 }, 'rules: Unrecognized key: "max_loops"'],
])('rejects %j: %s', (rules, message) => {
  expect(rulesProblem(safety, rules)).toContain(message);
});

test('fills in defaults for all rules', () => {
  expect(safety.rules.parse({})).toEqual({
    max_retries: 3,
    max_steps: 50,
    max_tool_calls: 100,
    blocked_tools: [],
    require_human_approval: false,
    approval_tools: [],
    content_filters: [],
  });
});

describe('needsStoredData', () => {
  test.each([
    [{ blocked_tools: ['shell'], max_steps: 0, content_filters: ['pii'] }, false],
    [{ require_human_approval: true }, true],
    [{ approval_tools: ['deploy'] }, true],
  ])('with %j: %s', (rules, expected) => {
    expect(safety.needsStoredData?.(safety.rules.parse(rules))).toBe(expected);
  });

  test.each(safety.phases)('%s without approvals reads no facts', (phase) => {
    const past = new Proxy({} as never, {
      get(_target, name): never {
        throw new Error(`it looked at ${String(name)}`);
      },
    });
    const answer = safety.evaluate({
      rules: safety.rules.parse({ blocked_tools: ['shell'] }),
      situation: situationOf({ phase, now: NOON, agent: 'a', workflow: 'mcp:files:shell' }),
      facts: { ...NO_FACTS, approval: past },
      state: past,
      remembered: null,
      isGlobal: true,
    });
    expect(answer?.action).toBe(phase === 'before_workflow' ? 'block' : 'allow');
  });
});

import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type SituationOverrides,
  rulesProblem,
} from '#test/support/category-simulation.ts';
import { audit } from './audit.ts';

const RETAINED = '2026-06-02T12:00:00.000Z';
const logged = (metadata: object, level = 'INFO') => ({
  action: 'allow',
  reason: 'Logged',
  metadata: { level, retain_until: RETAINED, ...metadata },
});
const inputs = { question: 'why?', password: 'hunter2', nested: { userToken: 'abc', age: 4 } };
const before: SituationOverrides = { intent: { inputs } };
const ended: SituationOverrides = {
  phase: 'after_workflow',
  run: { stepCount: 3, toolCallCount: 2 },
  result: { answer: 42, api_key: 'k' },
};

describe('audit', () => {
  test.each<[unknown, SituationOverrides, unknown]>([
    [
      {},
      before,
      logged({
        inputs: {
          question: 'why?',
          password: '##REDACTED##',
          nested: { userToken: '##REDACTED##', age: 4 },
        },
      }),
    ],
    [{ log_inputs: false }, before, logged({})],
    [{}, {}, logged({})],
    [
      {},
      ended,
      logged({ outputs: { answer: 42, api_key: '##REDACTED##' }, steps: 3, tool_calls: 2 }),
    ],
    [{ log_outputs: false }, ended, logged({ steps: 3, tool_calls: 2 })],
    [
      { log_steps: false, log_tool_calls: false },
      ended,
      logged({ outputs: { answer: 42, api_key: '##REDACTED##' } }),
    ],
    [
      { log_outputs: false, log_steps: false, log_tool_calls: false },
      { ...ended, phase: 'on_failure', error: 'no route' },
      logged({ error: 'no route' }, 'ERROR'),
    ],
  ])('%j, %j', (rules, given, expected) => {
    expect(evaluate(audit, rules, given)).toEqual(expected);
  });

  test.each([
    'password',
    'DB_Password',
    'clientSecret',
    'accessToken',
    'API_KEY',
    'x-apikey',
    'Authorization',
    'credentials',
    'ssh_private_key',
  ])('never records %s', (member) => {
    const given = { intent: { inputs: { [member]: 'x', list: [{ [member]: 'y' }] } } };
    expect(evaluate(audit, {}, given)?.metadata?.inputs).toEqual({
      [member]: '##REDACTED##',
      list: [{ [member]: '##REDACTED##' }],
    });
  });

  test('configured fields are redacted if their name contains the substring, also within JSON text', () => {
    const rules = { redact_fields: ['Customer'] };
    const given = {
      intent: { inputs: { customerName: 'Ada', args: '{"customer": {"id": 7}, "n": 1}' } },
    };
    expect(evaluate(audit, rules, given)?.metadata?.inputs).toEqual({
      customerName: '##REDACTED##',
      args: '{"customer": {"id": "##REDACTED##"}, "n": 1}',
    });
  });

  test.each([
    ['DEBUG', 'after_workflow', true],
    ['INFO', 'after_workflow', true],
    ['WARNING', 'after_workflow', false],
    ['ERROR', 'on_failure', true],
    ['CRITICAL', 'on_failure', false],
  ] as const)('with the level %s, %s is recorded: %s', (min_log_level, phase, isLogged) => {
    const answer = evaluate(audit, { min_log_level }, { ...ended, phase });
    expect(answer?.action).toBe('allow');
    expect(answer?.reason.startsWith('Logged')).toBe(isLogged);
    expect(answer?.metadata !== undefined).toBe(isLogged);
  });

  test.each([
    [2, [1, 2, '##NOT_LOGGED##']],
    [4, [1, 2, 3, 4]],
    [0, [1, 2, 3, 4]],
  ])('records at most %i values', (max_log_entries, inputs) => {
    const given = { intent: { inputs: [1, 2, 3, 4] } };
    expect(evaluate(audit, { max_log_entries }, given)?.metadata?.inputs).toEqual(inputs);
  });

  test('the size of a record is bounded', () => {
    const given = { intent: { inputs: { text: 'x'.repeat(5_000_000), more: 'y' } } };
    const metadata = evaluate(audit, { max_log_entries: 0 }, given)?.metadata;
    expect(metadata?.inputs).toEqual({
      text: `${'x'.repeat(65_536)}##NOT_LOGGED##`,
      more: '##NOT_LOGGED##',
    });
  });

  test('is evaluated at the start of a run, and after a refusal too', () => {
    expect(audit).toMatchObject({ atRunStart: true });
  });
});

test.each([
  [{ log_inputs: 'yes' }, 'log_inputs: '],
  [{ redact_fields: 'password' }, 'redact_fields: '],
  [{ retention_days: 0 }, 'retention_days: '],
  [{ min_log_level: 'info' }, 'min_log_level: '],
  [{ max_log_entries: -1 }, 'max_log_entries: '],
  [{ capture_stdout: 1 }, 'capture_stdout: '],
  [{ log_everything: true }, 'rules: Unrecognized key: "log_everything"'],
])('rejects %j: %s', (rules, message) => {
  expect(rulesProblem(audit, rules)).toContain(message);
});

test('fills in defaults for all rules', () => {
  expect(audit.rules.parse({})).toEqual({
    log_inputs: true,
    log_outputs: true,
    log_steps: true,
    log_tool_calls: true,
    redact_fields: [],
    retention_days: 90,
    min_log_level: 'INFO',
    max_log_entries: 500,
    capture_stdout: false,
  });
});

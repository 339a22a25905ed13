import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type SituationOverrides,
  rulesProblem,
} from '#test/support/category-simulation.ts';
import type { ObservedCall } from '../category.ts';
import { llm } from './llm.ts';

const about = (...models: string[]): SituationOverrides => ({ intent: { models } });
const called = (...models: string[]): SituationOverrides => ({
  phase: 'mid_execution',
  run: {},
  calls: models.map((model) => ({ model }) as ObservedCall),
});
const within = { action: 'allow', reason: 'Models within policy' };
const blocked = (model: string) => ({
  action: 'block',
  reason: `Model '${model}' is blocked`,
  metadata: { rule: 'blocked_models', model },
});
const notAllowed = (model: string, ...allowed_models: string[]) => ({
  action: 'block',
  reason: `Model '${model}' is not allowed`,
  metadata: { rule: 'allowed_models', model, allowed_models },
});

describe('llm', () => {
  test.each<[unknown, string[], unknown]>([
    [{}, [], within],
    [{}, ['any'], within],
    [{ blocked_models: ['gpt-4o'] }, ['gpt-4o'], blocked('gpt-4o')],
    [{ blocked_models: ['gpt-4o'] }, ['gpt-4o-mini'], blocked('gpt-4o-mini')],
    [{ blocked_models: ['gpt-4o'] }, ['gpt-4o:2024-08-06'], blocked('gpt-4o:2024-08-06')],
    [{ blocked_models: ['gpt-4o'] }, ['GPT-4o'], blocked('GPT-4o')],
    [{ blocked_models: ['gpt-4o'] }, ['gpt-4omni'], within],
    [{ blocked_models: ['gpt-4o'] }, ['gpt-4'], within],
    [{ blocked_models: ['gpt-4o'] }, ['my-gpt-4o'], within],
    [{ blocked_models: ['gpt-4o-mini'] }, ['gpt-4o'], within],
    [{ blocked_models: ['b'] }, ['a', 'b', 'c'], blocked('b')],
    [{ allowed_models: ['gpt-4o'] }, ['gpt-4o-mini'], within],
    [{ allowed_models: ['gpt-4o'] }, [], within],
    [{ allowed_models: ['gpt-4o'] }, ['gpt-4o', 'claude'], notAllowed('claude', 'gpt-4o')],
    [{ allowed_models: ['gpt-4o'], blocked_models: ['gpt-4o-mini'] }, ['gpt-4o'], within],
    [
      { allowed_models: ['gpt-4o'], blocked_models: ['gpt-4o-mini'] },
      ['gpt-4o-mini'],
      blocked('gpt-4o-mini'),
    ],
    [{ allowed_models: ['a'], blocked_models: ['c'] }, ['b', 'c'], blocked('c')],
  ])(
    'the rules %j with the models %j, before and during their calls',
    (rules, models, expected) => {
      expect(evaluate(llm, rules, about(...models))).toEqual(
        expected === within ? { ...within, metadata: {} } : expected,
      );
      const mid = evaluate(llm, rules, called(...models));
      expect(mid).toEqual(models.length > 0 ? expected : null);
    },
  );

  test('returns the rules that only the agent can follow', () => {
    const rules = { temperature_range: { min: 0, max: 0.7 }, require_system_prompt: true };
    expect(evaluate(llm, rules)).toEqual({ ...within, metadata: rules });
    expect(evaluate(llm, rules, { ...called('m'), run: { tokens: 1e9 } })).toEqual(within);
  });

  const excess = (action: string) => ({
    action,
    reason: 'Run exceeded token limit (101/100)',
    metadata: { rule: 'max_tokens_per_call', current: 101, limit: 100 },
  });
  const bounded = { max_tokens_per_call: 100 };
  const strict = { ...bounded, action_on_token_violation: 'block' };
  test.each<[string, unknown, SituationOverrides, unknown]>([
    ['before_workflow', strict, { run: { tokens: 101 } }, { ...within, metadata: {} }],
    ['mid_execution', bounded, { ...called('m'), run: { tokens: 100 } }, within],
    ['mid_execution', bounded, { ...called('m'), run: { tokens: 101 } }, excess('warn')],
    ['mid_execution', strict, { ...called('m'), run: { tokens: 101 } }, excess('block')],
    ['mid_execution', strict, { run: { tokens: 101 } }, excess('block')],
    ['mid_execution', strict, { run: { tokens: 1 } }, null],
    [
      'mid_execution',
      { ...bounded, blocked_models: ['m'] },
      { ...called('m'), run: { tokens: 101 } },
      blocked('m'),
    ],
    ['after_workflow', strict, { run: { tokens: 101 } }, excess('warn')],
    ['after_workflow', strict, { run: { tokens: 100 } }, null],
    ['after_workflow', { blocked_models: ['m'] }, { run: { tokens: 101 } }, null],
    ['on_failure', bounded, { run: { tokens: 101 } }, excess('warn')],
    ['on_failure', {}, { run: { tokens: 1e9 } }, null],
  ])('%s, the rules %j with %j', (phase, rules, given, expected) => {
    expect(evaluate(llm, rules, { ...given, phase: phase as 'mid_execution' })).toEqual(expected);
  });

  test.each<[unknown, string]>([
    [{ allowed_models: 'gpt-4o' }, 'allowed_models: '],
    [{ allowed_models: [''] }, 'allowed_models[0]: '],
    [{ blocked_models: [1] }, 'blocked_models[0]: '],
    [{ max_tokens_per_call: 0 }, 'max_tokens_per_call: '],
    [{ max_tokens_per_call: 1.5 }, 'max_tokens_per_call: '],
    [{ temperature_range: { min: 0 } }, 'temperature_range.max: '],
    [{ temperature_range: { min: 0, max: 3 } }, 'temperature_range.max: '],
    [{ temperature_range: { min: 1, max: 0.5 } }, 'temperature_range.min: expected at most `max`'],
    [{ action_on_token_violation: 'throttle' }, 'action_on_token_violation: '],
    [{ require_system_prompt: 1 }, 'require_system_prompt: '],
    [{ models: [] }, '"models"'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(llm, rules)).toContain(message);
  });
});

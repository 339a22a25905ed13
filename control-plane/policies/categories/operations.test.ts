import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Phase } from '#contract/policy-actions.ts';
import {
  evaluate,
  type SituationOverrides,
  NOON,
  rulesProblem,
} from '#test/support/category-simulation.ts';
import { operations } from './operations.ts';

const remembered = { timeout_seconds: 300 };
const after = (seconds: number): SituationOverrides => ({
  remembered,
  run: { startedAt: NOON },
  now: NOON + seconds * 1000,
});
const ended = (seconds: number): SituationOverrides => ({
  remembered,
  run: { startedAt: NOON, completedAt: NOON + seconds * 1000 },
  now: NOON + 9_000_000,
});

describe('operations', () => {
  test('sets the timeout before a run', () => {
    expect(evaluate(operations, {})).toEqual({
      action: 'allow',
      reason: 'Timeout set to 300s',
      remember: { timeout_seconds: 300 },
    });
    expect(evaluate(operations, { timeout_seconds: 1 })).toEqual({
      action: 'allow',
      reason: 'Timeout set to 1s',
      remember: { timeout_seconds: 1 },
    });
  });

  test.each<[Phase, SituationOverrides, string, string, number?]>([
    ['mid_execution', after(12.345), 'allow', 'Within timeout (12.345s/300s)', 12.345],
    ['mid_execution', after(300), 'allow', 'Within timeout (300s/300s)', 300],
    [
      'mid_execution',
      after(300.001),
      'warn',
      'Mid-run: approaching timeout (300.001s/300s)',
      300.001,
    ],
    ['after_workflow', ended(1.5), 'allow', 'Completed within timeout (1.5s/300s)', 1.5],
    ['after_workflow', ended(300), 'allow', 'Completed within timeout (300s/300s)', 300],
    ['after_workflow', ended(301), 'warn', 'Run exceeded timeout (301s/300s)', 301],
    ['on_failure', ended(2), 'allow', 'Completed within timeout (2s/300s)', 2],
    ['on_failure', ended(400.25), 'warn', 'Run exceeded timeout (400.25s/300s)', 400.25],
  ])('%s of %j: %s, %s', (phase, given, action, reason, duration) => {
    expect(evaluate(operations, {}, { ...given, phase })).toEqual({
      action,
      reason,
      metadata: { duration, timeout: 300 },
    });
  });

  test('applies the timeout set at the start, even if the rules changed', () => {
    const given = { ...ended(100), phase: 'after_workflow' } as const;
    expect(evaluate(operations, { timeout_seconds: 50 }, given)?.action).toBe('allow');
  });

  test.each<[string, SituationOverrides]>([
    ['no timeout was remembered', { run: {} }],
    ['there is no run', { remembered }],
  ])('allows with a generic reason when %s', (_, given) => {
    for (const phase of ['mid_execution', 'after_workflow', 'on_failure'] as const)
      expect(evaluate(operations, {}, { ...given, phase })).toEqual({
        action: 'allow',
        reason: 'No timeout was set when the run started',
      });
  });

  test.each([
    [{ timeout_seconds: 0 }, /^timeout_seconds: /],
    [{ timeout_seconds: -1 }, /^timeout_seconds: /],
    [{ timeout_seconds: 1.5 }, /^timeout_seconds: /],
    [{ timeout_seconds: '300' }, /^timeout_seconds: /],
    [{ timeout_seconds: null }, /^timeout_seconds: /],
    [{ timeout: 300 }, /"timeout"/],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(operations, rules)).toMatch(message);
  });

  test('is quoted verbatim in the guide to writing categories', () => {
    const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
    expect(read('../../../docs/writing-a-category.md')).toContain(read('operations.ts'));
  });
});

import { expect, test } from 'vitest';
import { recordedRun } from '#test/support/recorded-run.ts';
import { createTextBudget } from './text-budget.ts';
import type { RecordedRun } from './recorded-run.ts';

const run = (id: number): RecordedRun =>
  recordedRun({
    id,
    started_at: 0,
    inputs: { a: 1 },
    result: { b: 2 },
    telemetry: {
      lastAt: 0,
      models: [],
      calls: [{ model: 'm', tokensIn: 1, tokensOut: 1, cost: 0, prompt: 'Hello', response: '' }],
      tools: [],
      textLength: 5,
      stepCount: 1,
      toolCallCount: 0,
      retryCount: 0,
    },
  });

test('texts are kept up to the budget', () => {
  const budget = createTextBudget(12);
  const [first, second, third] = [budget.admit(run(1)), budget.admit(run(2)), budget.admit(run(3))];
  expect(second).toEqual({ ...run(2), inputs: null });
  expect(third).toMatchObject({ result: null, telemetry: { calls: [], stepCount: 1 } });
  expect(budget.leftOut()).toBe(1);
  budget.release(third);
  expect(budget.admit(run(4)).telemetry?.calls).toEqual([]);
  budget.release(first);
  expect(budget.admit(run(5)).telemetry?.calls).toHaveLength(1);
  expect(budget.leftOut()).toBe(2);
});

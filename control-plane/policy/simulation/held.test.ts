import { expect, test } from 'vitest';
import { recordedRun } from '#test/support/recorded-run.ts';
import { createHeld } from './text-budget.ts';
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

test('texts are kept as long as there is room for them', () => {
  const held = createHeld(12);
  const [first, second, third] = [held.take(run(1)), held.take(run(2)), held.take(run(3))];
  expect(second).toEqual({ ...run(2), inputs: null });
  expect(third).toMatchObject({ result: null, telemetry: { calls: [], stepCount: 1 } });
  expect(held.leftOut()).toBe(1);
  held.giveBack(third);
  expect(held.take(run(4)).telemetry?.calls).toEqual([]);
  held.giveBack(first);
  expect(held.take(run(5)).telemetry?.calls).toHaveLength(1);
  expect(held.leftOut()).toBe(2);
});

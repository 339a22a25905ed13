import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ModelDay, summarizeModels } from './model-rules.ts';

const day = (of: Partial<ModelDay>): ModelDay => ({
  day: 20_000,
  model: 'a',
  calls: 1,
  tokens: 10,
  cost: 0,
  ...of,
});

test('days sum up to models, and models to totals', () => {
  const days = [
    day({ model: 'b', cost: 3, calls: 2 }),
    day({ day: 20_001, cost: 0.5 }),
    day({ cost: 0.5, tokens: 5 }),
  ];
  expect(summarizeModels(days)).toEqual({
    aggregates: { total_cost: 4, total_tokens: 25, total_calls: 4 },
    model_totals: [
      { model: 'b', total_cost: 3, total_tokens: 10, total_calls: 2, percentage: 75 },
      { model: 'a', total_cost: 1, total_tokens: 15, total_calls: 2, percentage: 25 },
    ],
    time_series: [
      { date: '2024-10-04', model: 'a', cost: 0.5, tokens: 5, calls: 1 },
      { date: '2024-10-04', model: 'b', cost: 3, tokens: 10, calls: 2 },
      { date: '2024-10-05', model: 'a', cost: 0.5, tokens: 10, calls: 1 },
    ],
  });
});

test('all sums agree, and percentages add up to 100', () => {
  const days = fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 30_000 }),
      model: fc.constantFrom('a', 'b', 'c'),
      calls: fc.integer({ min: 1, max: 1e6 }),
      tokens: fc.nat(),
      cost: fc.double({ min: 0, max: 1e6, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(days, (stored) => {
      const { aggregates, model_totals, time_series } = summarizeModels(stored);
      const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
      expect(sum(time_series.map(({ tokens }) => tokens))).toBe(aggregates.total_tokens);
      expect(sum(model_totals.map(({ total_calls }) => total_calls))).toBe(aggregates.total_calls);
      expect(sum(model_totals.map(({ total_cost }) => total_cost))).toBeCloseTo(
        aggregates.total_cost,
        3,
      );
      const whole = sum(model_totals.map(({ percentage }) => percentage));
      expect(whole).toBeCloseTo(aggregates.total_cost > 0 ? 100 : 0, 6);
    }),
  );
});

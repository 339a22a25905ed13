import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCounts, type HourCalls, rowsOfHour } from './count-rules.ts';

const call: HourCalls = {
  agent: 'a',
  model: 'm',
  provider: null,
  workflow: null,
  user: null,
  team: null,
  api_key: null,
  tag: null,
  duration: null,
  call_count: 1,
  total_tokens: 0,
  tokens_in: 0,
  tokens_out: 0,
  cache_read_tokens: 0,
  total_cost: 0,
};

const durationsOf = (calls: readonly HourCalls[]): string =>
  rowsOfHour('t', 1, calls).find(({ grouped_by }) => grouped_by === 'model')?.durations ?? '';

const pair = fc.record({
  duration: fc.option(fc.nat(1_000_000_000)),
  call_count: fc.integer({ min: 1, max: 100_000 }),
});

test('the sum of the durations of several hours equals what was counted', () => {
  fc.assert(
    fc.property(fc.array(fc.array(pair, { minLength: 1 })), (hours) => {
      const expected = new Map<number, number>();
      const found = new Map<number, number>();
      for (const pairs of hours) {
        for (const { duration, call_count } of pairs)
          if (duration !== null) expected.set(duration, (expected.get(duration) ?? 0) + call_count);
        addCounts(durationsOf(pairs.map((one) => ({ ...call, ...one }))), found);
      }
      expect(found).toEqual(expected);
    }),
  );
});

test('an hour without durations adds nothing', () => {
  const counts = new Map<number, number>();
  addCounts(durationsOf([call]), counts);
  expect(counts.size).toBe(0);
});

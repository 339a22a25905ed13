import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregatesOf, roundedCost, splitHours } from './rules.ts';

const H = 3_600_000;

test.each([
  [{}, { hours: {}, edges: [] }],
  [{ start: 2 * H }, { hours: { from: 2 }, edges: [] }],
  [{ start: 2 * H + 1 }, { hours: { from: 3 }, edges: [{ start: 2 * H + 1, end: 3 * H }] }],
  [{ end: 5 * H - 1 }, { hours: { to: 4 }, edges: [{ start: 4 * H, end: 5 * H - 1 }] }],
  [
    { start: H, end: 3 * H },
    { hours: { from: 1, to: 3 }, edges: [] },
  ],
  [{ start: 5, end: 9 }, { edges: [{ start: 5, end: 9 }] }],
  [{ start: H - 1, end: H + 1 }, { edges: [{ start: H - 1, end: H + 1 }] }],
])('the whole hours of %j', (range, expected) => {
  expect(splitHours(range)).toEqual(expected);
});

test('hours and edges cover the range exactly once', () => {
  const moment = fc.option(fc.integer({ min: 0, max: 10 * H }), { nil: undefined });
  fc.assert(
    fc.property(moment, moment, fc.integer({ min: 0, max: 10 * H }), (start, end, at) => {
      const { hours, edges } = splitHours({ start, end });
      const inEdges = edges.filter((edge) => within(edge.start, at, edge.end)).length;
      const inHours = hours && within(hours.from, Math.floor(at / H), hours.to) ? 1 : 0;
      expect(inEdges + inHours).toBe(within(start, at, end) ? 1 : 0);
    }),
  );
});

const within = (from = -Infinity, at = 0, to = Infinity): boolean => from <= at && at < to;

test('aggregates omit models that have no calls left', () => {
  expect(
    aggregatesOf([
      { model: 'b', calls: 1, tokens: 2, cost: 0.1 },
      { model: 'gone', calls: 0, tokens: 0, cost: 1e-17 },
      { model: 'a', calls: 2, tokens: 3, cost: 0.2 },
      { model: 'b', calls: 1, tokens: 1, cost: 0 },
    ]),
  ).toEqual({ total_cost: 0.3, total_tokens: 6, total_calls: 4, models_used: ['a', 'b'] });
});

test('the order of addition does not matter', () => {
  expect(roundedCost(0.1 + 0.2 + 0.3)).toBe(roundedCost(0.3 + 0.2 + 0.1));
});

test('residues of subtracted costs are removed', () => {
  const cost = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(fc.array(cost, { maxLength: 100 }), (costs) => {
      const all = costs.reduce((sum, one) => sum + one, 0);
      expect(roundedCost(costs.reduce((sum, one) => sum - one, all))).toBe(0);
      expect(roundedCost(costs.reduceRight((sum, one) => sum - one, all))).toBe(0);
    }),
  );
  expect([-1.06581410364e-14, 1e-14, -0, 0].map(roundedCost)).toEqual([0, 0, 0, 0]);
});

test('small and large costs are unchanged', () => {
  const costs = [0.000000002, 0.00000375, 0.1, 123.456789, 98_765_432.1];
  expect(costs.map(roundedCost)).toEqual(costs);
});

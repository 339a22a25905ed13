import { array, assert, constantFrom, double, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stackAt, OWN_COLOURS, tickValues } from '../charts/chart-rules.ts';
import { colourOf, seriesOfDays, usageByDay } from './usage-by-day.ts';

const point = (date: string, model: string, cost: number) => ({
  date,
  model,
  cost,
  tokens: cost * 1000,
  calls: 1,
});

describe('usage by day', () => {
  test('has every day that overlaps the period', () => {
    const days = usageByDay([point('2026-03-01', 'a', 2)], '1d', '2026-03-01');
    expect(days.map(({ date, cost, calls }) => [date, cost, calls])).toEqual([
      ['2026-02-28', 0, 0],
      ['2026-03-01', 2, 1],
    ]);
    expect(usageByDay([], '30d', '2026-03-01')).toHaveLength(31);
  });

  test('keeps a day that began after the end of the period', () => {
    const days = usageByDay([point('2026-03-02', 'a', 1)], '7d', '2026-03-01');
    expect(days.at(-1)?.date).toBe('2026-03-02');
  });
});

describe('a stack', () => {
  const ranking = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'];

  test('gives the last colour to all models without a colour of their own', () => {
    expect(ranking.map((model) => colourOf(ranking, model))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 7, 7,
    ]);
    expect(colourOf(ranking, 'unknown')).toBe(OWN_COLOURS);
  });

  test('has no gaps and ends at the total of its day', () => {
    const points = array(
      record({ model: constantFrom(...ranking), cost: double({ min: 0, max: 1e6, noNaN: true }) }),
    );
    assert(
      property(points, (points) => {
        const series = points.map(({ model, cost }) => point('2026-03-01', model, cost));
        const [, day] = usageByDay(series, '1d', '2026-03-01');
        const layers = stackAt(seriesOfDays([day!], 'cost', ranking), 0);
        expect(layers.map(({ from }) => from)).toEqual(
          [0, ...layers.map(({ to }) => to)].slice(0, layers.length),
        );
        expect(layers.at(-1)?.to ?? 0).toBeCloseTo(day!.cost, 3);
        expect(new Set(layers.map(({ colour }) => colour)).size).toBe(layers.length);
      }),
    );
  });
});

test('the ticks of an axis are few, round and reach the maximum', () => {
  assert(
    property(double({ min: 1e-6, max: 1e12, noNaN: true }), (most) => {
      const marks = tickValues(most);
      expect(marks[0]).toBe(0);
      expect(marks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(marks.length).toBeGreaterThanOrEqual(3);
      expect(marks.length).toBeLessThanOrEqual(6);
    }),
  );
  expect(tickValues(0)).toEqual([0]);
  expect(tickValues(7)).toEqual([0, 2, 4, 6, 8]);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ObservationGap, withGap, withoutReported } from './observation-gaps.ts';

const gap = (
  from: number,
  to: number,
  reason: ObservationGap['reason'] = 'dropped',
): ObservationGap => ({ reason, started_at: from, ended_at: to });

test.each([
  ['one after the other', [gap(0, 10), gap(11, 20)], [gap(0, 20)]],
  ['one inside of the other', [gap(0, 30), gap(10, 20)], [gap(0, 30)]],
  ['a minute between', [gap(0, 10), gap(60_010, 60_020)], [gap(0, 60_020)]],
  ['more than a minute', [gap(0, 10), gap(60_011, 60_020)], [gap(0, 10), gap(60_011, 60_020)]],
  ['an earlier one after a later', [gap(50, 60), gap(0, 10)], [gap(50, 60), gap(0, 10)]],
  [
    'of two reasons',
    [gap(0, 10), gap(5, 10, 'not_running')],
    [gap(0, 10), gap(5, 10, 'not_running')],
  ],
])('gaps are merged: %s', (_, added, expected) => {
  expect(added.reduce(withGap, [] as ObservationGap[])).toEqual(expected);
});

test('a gap that grew while it was being reported is reported again', () => {
  const reported = [gap(0, 10), gap(100_000, 100_010)];
  const later = withGap(reported, gap(100_010, 100_020));
  expect(withoutReported(later, reported)).toEqual([gap(100_000, 100_020)]);
  expect(withoutReported(later, later)).toEqual([]);
});

test('every added period is covered, unless there are a hundred later ones', () => {
  const times = fc.tuple(fc.integer({ min: 0, max: 1e7 }), fc.integer({ min: 0, max: 1e5 }));
  fc.assert(
    fc.property(fc.array(times, { maxLength: 99 }), (list) => {
      const added = list.map(([from, length]) => gap(from, from + length));
      const kept = added.reduce(withGap, [] as ObservationGap[]);
      for (const { started_at, ended_at } of added)
        expect(kept.some((one) => one.started_at <= started_at && one.ended_at >= ended_at)).toBe(
          true,
        );
    }),
  );
});

test('at most a hundred gaps are kept', () => {
  const many = Array.from({ length: 150 }, (_, i) => gap(i * 1e6, i * 1e6 + 1));
  const kept = many.reduce(withGap, [] as ObservationGap[]);
  expect(kept).toEqual(many.slice(-100));
});

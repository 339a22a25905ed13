import { expect, test } from 'vitest';
import { highestValue, stackAt, lineSegments, tickValues } from './chart-rules.ts';

const series = [
  { name: 'a', colour: 0, values: [1, null, 4] },
  { name: 'b', colour: 1, values: [2, 0, 1] },
];

test('layers are stacked, and those without an amount are omitted', () => {
  expect(stackAt(series, 0)).toEqual([
    { colour: 0, from: 0, to: 1 },
    { colour: 1, from: 1, to: 3 },
  ]);
  expect(stackAt(series, 1)).toEqual([]);
});

test('the axis reaches the highest column or the highest point', () => {
  expect(highestValue(series, true)).toBe(5);
  expect(highestValue(series, false)).toBe(4);
  expect(highestValue([], true)).toBe(0);
});

test('a line is interrupted where a value is missing', () => {
  expect(lineSegments([1, null, 4, 5])).toEqual([
    [{ at: 0, value: 1 }],
    [
      { at: 2, value: 4 },
      { at: 3, value: 5 },
    ],
  ]);
});

test.each([
  [0, [0]],
  [3, [0, 1, 2, 3]],
  [0.9, [0, 0.5, 1]],
  [101, [0, 50, 100, 150]],
])('ticks up to %j are round', (most, marks) => {
  expect(tickValues(most)).toEqual(marks);
});

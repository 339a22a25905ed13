import { expect, test } from 'vitest';
import { rangeBetween, slotsOf } from './histogram-rules.ts';

const MINUTE = 60_000;
const at = (minutes: number) => new Date(minutes * MINUTE).toISOString();
const buckets = [
  { start: at(10), value: 2, errors: 1 },
  { start: at(12), value: 3, errors: 0 },
];
const values = (slots: ReturnType<typeof slotsOf>) => slots.map(({ value }) => value);

const zeros = (count: number) => Array.from({ length: count }, () => 0);

test('buckets without a value are included, also at the ends of the range', () => {
  expect(values(slotsOf(buckets, MINUTE, { start: at(8), end: at(14) }))).toEqual([
    0, 0, 2, 0, 3, 0,
  ]);
  expect(slotsOf([], MINUTE, {})).toEqual([]);
});

test('a range without a start begins earlier if all records are close together', () => {
  expect(values(slotsOf(buckets, MINUTE, {}))).toEqual([...zeros(21), 2, 0, 3]);
  expect(values(slotsOf(buckets, MINUTE, { end: at(14) }))).toEqual([...zeros(20), 2, 0, 3, 0]);
  const many = Array.from({ length: 30 }, (_, minute) => ({ start: at(minute), value: 1 }));
  expect(slotsOf(many, MINUTE, {})).toHaveLength(30);
});

test('a range that is far longer than the time with records is shortened', () => {
  const slots = slotsOf(buckets, MINUTE, { start: at(0), end: at(1_000_000) });
  expect(values(slots)).toEqual([...zeros(21), 2, 0, 3]);
});

test('a selection covers whole buckets, in either direction', () => {
  const slots = slotsOf(buckets, MINUTE, { start: at(10) });
  expect(rangeBetween(slots, MINUTE, 0.1, 0.1)).toEqual({ start: at(10), end: at(11) });
  expect(rangeBetween(slots, MINUTE, 1, 0.4)).toEqual({ start: at(11), end: at(13) });
});

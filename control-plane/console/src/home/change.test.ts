import { expect, test } from 'vitest';
import { changeInPoints, changeOf, changeOfDuration } from './change.ts';

const words = { up: 'more', down: 'fewer' } as const;

test.each([
  [120, 100, '20% more'],
  [50, 100, '50% fewer'],
  [1000, 100, '10 times as much'],
  [1e9, 100, 'over 100 times as much'],
  [1001, 1000, 'no change'],
  [0, 0, 'no change'],
  [3, 0, 'previously none'],
  [0, 3, '100% fewer'],
])('%s compared with %s is %s', (now, before, text) => {
  expect(changeOf(now, before, words)).toEqual({ text, tone: 'neutral' });
});

test('a rate changes in points, and more errors are worse', () => {
  expect(changeInPoints(0.12, 0.1)).toEqual({ text: '2 points higher', tone: 'bad' });
  expect(changeInPoints(0.09, 0.1)).toEqual({ text: '1 point lower', tone: 'good' });
  expect(changeInPoints(null, 0.1)).toEqual({ text: 'no previous value', tone: 'neutral' });
});

test('a longer duration is slower, and worse', () => {
  expect(changeOfDuration(3000, 2000)).toEqual({ text: '50% slower', tone: 'bad' });
  expect(changeOfDuration(1000, 2000)).toEqual({ text: '50% faster', tone: 'good' });
  expect(changeOfDuration(1000, null).text).toBe('no previous value');
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { packTimes, unpackTimes } from './delta-encoding.ts';

test('times round-trip, even out of order', () => {
  const time = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
  fc.assert(
    fc.property(fc.array(time), (times) => {
      expect(unpackTimes(packTimes(times))).toEqual(times);
    }),
  );
});

test('later times are stored as differences', () => {
  expect(JSON.stringify(packTimes([1_700_000_000_000, 1_700_000_000_012]))).toBe(
    '[1700000000000,12]',
  );
});

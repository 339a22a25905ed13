import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokenBuckets } from './token-bucket.ts';

describe('an allowance', () => {
  test('grants a burst, then one at a time, and returns when the next one is available', () => {
    const take = createTokenBuckets({ burst: 2, everyMs: 1000 });
    expect([take('a', 0), take('a', 0), take('a', 0), take('a', 400)]).toEqual([0, 0, 1000, 600]);
    expect([take('a', 1000), take('a', 1000)]).toEqual([0, 1000]);
    expect(take('b', 1000)).toBe(0);
  });

  test('is full again after an idle period, but not fuller', () => {
    const take = createTokenBuckets({ burst: 2, everyMs: 1000 });
    take('a', 0);
    take('a', 0);
    expect([take('a', 1e9), take('a', 1e9), take('a', 1e9)]).toEqual([0, 0, 1000]);
  });

  test('tolerates a clock that is set back', () => {
    const take = createTokenBuckets({ burst: 1, everyMs: 1000 });
    take('a', 1e9);
    expect([take('a', 0), take('a', 1000)]).toEqual([1000, 0]);
  });

  test('evicts the least recently used name', () => {
    const take = createTokenBuckets({ burst: 1, everyMs: 1000 }, 2);
    for (const name of ['a', 'b', 'c']) take(name, 0);
    expect([take('b', 0), take('a', 0)]).toEqual([1000, 0]);
  });

  test('never grants more than a burst plus the amount accrued since', () => {
    const moves = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), moves, (burst, waits) => {
        const take = createTokenBuckets({ burst, everyMs: 1000 });
        let now = 0;
        const granted: number[] = [];
        for (const wait of waits) {
          now += wait;
          if (take('a', now) === 0) granted.push(now);
        }
        return granted.every((from, i) =>
          granted.slice(i).every((to, n) => n + 1 <= burst + Math.floor((to - from) / 1000)),
        );
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { permissions } from '#contract/route.ts';
import { beyond, endOfOverlap, expiryOfSuccessor } from './rules.ts';

test('a program gives only what it has, a person with the role gives anything', () => {
  const some = fc.subarray([...permissions]);
  fc.assert(
    fc.property(some, some, (held, wanted) => {
      const missing = beyond({ permissions: held }, wanted);
      expect(missing.every((one) => wanted.includes(one) && !held.includes(one))).toBe(true);
      expect(missing.length === 0).toBe(wanted.every((one) => held.includes(one)));
      expect(beyond({ userId: 'usr_1' }, wanted)).toEqual([]);
    }),
  );
});

test.each([
  ['none', { created_at: 100, expires_at: null }, null, 1500],
  ['after the overlap', { created_at: 100, expires_at: 5100 }, 6000, 1500],
  ['within the overlap', { created_at: 100, expires_at: 1200 }, 2100, 1200],
])('an expiry of a key that is rotated: %s', (_what, old, successor, overlap) => {
  expect(expiryOfSuccessor(old, 1000)).toBe(successor);
  expect(endOfOverlap(old, 1000, 500)).toBe(overlap);
});

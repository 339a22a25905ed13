import { expect, test } from 'vitest';
import { endOfOverlap, expiryOfSuccessor } from './api-key-rules.ts';

test.each([
  ['none', { created_at: 100, expires_at: null }, null, 1500],
  ['after the overlap', { created_at: 100, expires_at: 5100 }, 6000, 1500],
  ['within the overlap', { created_at: 100, expires_at: 1200 }, 2100, 1200],
])('expiry of a rotated key: %s', (_what, old, successor, overlap) => {
  expect(expiryOfSuccessor(old, 1000)).toBe(successor);
  expect(endOfOverlap(old, 1000, 500)).toBe(overlap);
});

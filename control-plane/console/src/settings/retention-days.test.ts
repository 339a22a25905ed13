import { expect, test } from 'vitest';
import { deletesMore } from './retention-days.ts';

test.each([
  [[null, null], [90, null], true],
  [[90, null], [null, null], false],
  [[90, null], [91, null], false],
  [[90, 30], [90, null], false],
  [[90, null], [90, 30], true],
  [[null, 30], [60, 30], true],
  [[30, 60], [30, 60], false],
] as const)('reducing %o days to %o days deletes data: %s', (before, after, more) => {
  const days = ([retention_days, capture_retention_days]: readonly (number | null)[]) => ({
    retention_days: retention_days ?? null,
    capture_retention_days: capture_retention_days ?? null,
  });
  expect(deletesMore(days(before), days(after))).toBe(more);
});

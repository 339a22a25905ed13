import { expect, test } from 'vitest';
import { type EnrollmentAttempt, createEnrollmentRateLimit } from './enrollment-rate-limits.ts';

const HOUR = 3_600_000;

/** Creates the limits of a separate control plane whose clock the test sets. */
function at(clock: { now: number }): (attempt: EnrollmentAttempt) => void {
  const limitAttempts = createEnrollmentRateLimit();
  return (attempt) => limitAttempts(attempt, clock.now);
}

const attempt = { tenantId: 'tnt_1', keyId: 'key_1', address: '198.51.100.7' };
const refusals = (
  limit: (attempt: EnrollmentAttempt) => void,
  hardware: readonly string[],
  more = {},
): number =>
  hardware.filter((hardwareId) => {
    try {
      limit({ ...attempt, ...more, hardwareId });
      return false;
    } catch {
      return true;
    }
  }).length;
const fleet = (size: number): string[] => Array.from({ length: size }, (_, i) => `hardware-${i}`);

test('lets 2,000 computers behind one address enroll at once, with one key', () => {
  expect(refusals(at({ now: 0 }), fleet(2000))).toBe(0);
});

test('lets them poll for approval each minute, for an hour', () => {
  const clock = { now: 0 };
  const limit = at(clock);
  let refused = 0;
  // Computers poll at least a minute apart, and agents add up to half a minute.
  for (; clock.now < HOUR; clock.now += 75_000) refused += refusals(limit, fleet(2000));
  expect(refused).toBe(0);
});

test.each([
  ['address', { keyId: 'key_2' }],
  ['API key', { address: '198.51.100.8' }],
])('bounds attempts with one %s, regardless of the other', (_, other) => {
  const limit = at({ now: 0 });
  expect(refusals(limit, fleet(3000))).toBe(0);
  expect(refusals(limit, ['hardware-more'], other)).toBe(1);
  expect(refusals(limit, ['hardware-more'], { keyId: 'key_3', address: '203.0.113.1' })).toBe(0);
});

test('bounds attempts of one computer, per tenant', () => {
  const limit = at({ now: 0 });
  const same = Array.from({ length: 12 }, () => 'hardware-same');
  expect(refusals(limit, same)).toBe(2);
  expect(refusals(limit, same, { tenantId: 'tnt_2' })).toBe(2);
});

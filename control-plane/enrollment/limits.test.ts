import { expect, it } from 'vitest';
import type { Context } from '../context.ts';
import type { Storage } from '../storage/open.ts';
import { limitAttempts } from './limits.ts';

const HOUR = 3_600_000;

/** A separate control plane, whose clock the test sets. */
const at = (clock: { now: number }): Context =>
  ({ storage: {} as Storage, now: () => clock.now }) as unknown as Context;

const attempt = { tenantId: 'tnt_1', keyId: 'key_1', address: '198.51.100.7' };
const refusals = (context: Context, hardware: readonly string[], more = {}): number =>
  hardware.filter((hardwareId) => {
    try {
      limitAttempts(context, { ...attempt, ...more, hardwareId });
      return false;
    } catch {
      return true;
    }
  }).length;
const fleet = (size: number): string[] => Array.from({ length: size }, (_, i) => `hardware-${i}`);

it('lets 2,000 computers behind one address enroll at once, with one key', () => {
  expect(refusals(at({ now: 0 }), fleet(2000))).toBe(0);
});

it('lets them poll for approval each minute, for an hour', () => {
  const clock = { now: 0 };
  const context = at(clock);
  let refused = 0;
  // At best a minute apart; agents take up to half a minute longer.
  for (; clock.now < HOUR; clock.now += 75_000) refused += refusals(context, fleet(2000));
  expect(refused).toBe(0);
});

it.each([
  ['address', { keyId: 'key_2' }],
  ['API key', { address: '198.51.100.8' }],
])('bounds attempts with one %s, whatever the other', (_, other) => {
  const context = at({ now: 0 });
  expect(refusals(context, fleet(3000))).toBe(0);
  expect(refusals(context, ['hardware-more'], other)).toBe(1);
  expect(refusals(context, ['hardware-more'], { keyId: 'key_3', address: '203.0.113.1' })).toBe(0);
});

it('bounds one computer, per tenant', () => {
  const context = at({ now: 0 });
  const same = Array.from({ length: 12 }, () => 'hardware-same');
  expect(refusals(context, same)).toBe(2);
  expect(refusals(context, same, { tenantId: 'tnt_2' })).toBe(2);
});

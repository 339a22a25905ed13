import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  evaluate,
  type SituationOverrides,
  NOON,
  rulesProblem,
  simulateSubject,
} from '#test/support/category-simulation.ts';
import { endUserRateLimit } from './end-user-rate-limit.ts';

const allows = (requestsPerMinute: number | null): SituationOverrides => ({
  facts: { endUser: { id: 'eve', monthCost: 0, monthlyBudget: null, requestsPerMinute } },
});

/** Makes checks at these seconds after noon; returns the result of the last one. */
function lastOf(rules: unknown, perMinute: number, seconds: readonly number[]) {
  const user = simulateSubject(endUserRateLimit, rules);
  const answers = seconds.map((second) =>
    user.check({ ...allows(perMinute), now: NOON + second * 1000 }),
  );
  return answers.at(-1);
}
const times = (count: number, at = 0): number[] => Array.from({ length: count }, () => at);
const reached = (figures: string) => `End-user 'eve' rate limit reached (${figures})`;
const WITHIN = 'Within end-user rate limit';

describe('end-user-rate-limit', () => {
  test.each<[string, unknown, number, number[], string, string?]>([
    ['as many as set', {}, 5, times(5), 'allow', WITHIN],
    ['one more', {}, 5, times(6), 'throttle', reached('5/5 in 60s')],
    ['within the window', {}, 5, [...times(5), 59.9], 'throttle', reached('5/5 in 60s')],
    ['after the window', {}, 5, [...times(5), 61], 'allow', WITHIN],
    ['no matter how the minute falls', {}, 2, [30, 59, 61], 'throttle', reached('2/2 in 60s')],
    ['half a window', { window_seconds: 30 }, 10, times(6), 'throttle', reached('5/5 in 30s')],
    ['a longer window', { window_seconds: 3600 }, 2, times(120), 'allow', WITHIN],
    [
      'a longer window, full',
      { window_seconds: 3600 },
      2,
      times(121),
      'throttle',
      reached('120/120 in 3600s'),
    ],
    ['parts of requests', { window_seconds: 10 }, 10, [0, 0], 'throttle', reached('1/1 in 10s')],
    [
      'less than one in a window',
      { window_seconds: 10 },
      2,
      [0, 29],
      'throttle',
      reached('1/1 in 30s'),
    ],
    ['less than one, later', { window_seconds: 10 }, 2, [0, 31], 'allow', WITHIN],
    ['to block', { action_on_exceed: 'block' }, 1, times(2), 'block', reached('1/1 in 60s')],
    ['to warn', { action_on_exceed: 'warn' }, 1, times(2), 'warn', reached('1/1 in 60s')],
    [
      'to warn, and count',
      { action_on_exceed: 'warn' },
      1,
      times(3),
      'warn',
      reached('2/1 in 60s'),
    ],
  ])('%s', (_, rules, perMinute, seconds, action, reason) => {
    expect(lastOf(rules, perMinute, seconds)).toMatchObject({ action, reason });
  });

  test('reports the count and the limit', () => {
    expect(lastOf({}, 1, times(2))).toEqual({
      action: 'throttle',
      reason: reached('1/1 in 60s'),
      metadata: { end_user_id: 'eve', current: 1, limit: 1, window: 60 },
    });
  });

  test.each<[string, unknown, SituationOverrides]>([
    ['off', { enabled: false }, allows(1)],
    ['without a user', {}, {}],
    ['where nothing is set', {}, allows(null)],
    ['with a limit of 0', {}, allows(0)],
  ])('returns no result %s', (_, rules, given) => {
    expect(evaluate(endUserRateLimit, rules, given)).toBeNull();
  });

  test('counts each end user separately, and uses the user if there is no end user', () => {
    const subject = (endUserId: string | null, userId: string | null) =>
      endUserRateLimit.stateOf?.({ endUserId, userId } as never);
    expect([subject('e', 'u'), subject(null, 'u'), subject(null, null)]).toEqual(['e', 'u', null]);
  });

  test('never admits more than the limit in any window, and a refusal changes no state', () => {
    const rate = fc.integer({ min: 1, max: 20 });
    const waits = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 100 });
    fc.assert(
      fc.property(
        rate,
        fc.integer({ min: 1, max: 120 }),
        waits,
        (perMinute, window_seconds, steps) => {
          const user = simulateSubject(endUserRateLimit, { window_seconds });
          const admitted: number[] = [];
          let now = NOON + 123;
          for (const wait of steps) {
            now += wait;
            const before = user.stored();
            const isAdmitted = user.check({ ...allows(perMinute), now })?.action === 'allow';
            if (isAdmitted) admitted.push(now);
            expect(user.stored() === before).toBe(!isAdmitted);
          }
          const windowMs = Math.max(window_seconds * 1000, 60_000 / perMinute);
          for (const at of admitted) {
            const { length } = admitted.filter((other) => other >= at && other - at < windowMs);
            expect(length).toBeLessThanOrEqual(Math.max(1, (perMinute * window_seconds) / 60));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each<[unknown, string]>([
    [{ enabled: 'no' }, 'enabled: '],
    [{ action_on_exceed: 'retry' }, 'action_on_exceed: '],
    [{ window_seconds: 0 }, 'window_seconds: '],
    [{ window_seconds: 3601 }, 'window_seconds: '],
    [{ requests_per_minute: 1 }, '"requests_per_minute"'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(endUserRateLimit, rules)).toContain(message);
  });
});

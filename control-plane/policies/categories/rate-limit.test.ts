import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOON, rulesProblem, simulateSubject } from '#test/support/category-simulation.ts';
import { agentWorkflowKey } from '../category.ts';
import { rateLimit } from './rate-limit.ts';

type Step = number | [seconds: number, 'end'];

/** Makes checks and ends runs at these seconds after noon; returns the result of the last check. */
function lastOf(rules: unknown, steps: readonly Step[]) {
  const pair = simulateSubject(rateLimit, rules);
  let last;
  for (const step of steps) {
    const [seconds, isEnd] = typeof step === 'number' ? [step] : step;
    const given = { now: NOON + seconds * 1000 };
    if (isEnd) pair.end(given);
    else last = pair.check(given);
  }
  return last && { action: last.action, reason: last.reason, metadata: last.metadata };
}

const times = (count: number, at = 0): Step[] => Array.from({ length: count }, () => at);
const many = { max_concurrent: 10_000 };
const allowed = { action: 'allow', reason: 'Within rate limits', metadata: undefined };
const refused = (action: string, reason: string, metadata: Record<string, number>) => ({
  action,
  reason,
  metadata,
});
const minute = refused('block', 'Per-minute limit reached (2/2)', { current: 2, limit: 2 });
const hour = refused('block', 'Per-hour limit reached (2/2)', { current: 2, limit: 2 });
const day = refused('block', 'Per-day limit reached (2/2)', { current: 2, limit: 2 });
const burst = refused('throttle', 'Burst limit reached (2/2 in 10s)', {
  current: 2,
  limit: 2,
  window: 10,
});
const atOnce = refused('throttle', 'Concurrent limit reached (2/2)', { current: 2, limit: 2 });

describe('rate-limit', () => {
  test.each<[string, unknown, Step[], unknown]>([
    ['a free pair', {}, [0], allowed],
    ['fewer at once than the limit', { max_concurrent: 2 }, times(2), allowed],
    ['as many at once as the limit', { max_concurrent: 2 }, times(3), atOnce],
    ['a slot that was given back', { max_concurrent: 2 }, [0, 0, [1, 'end'], 2], allowed],
    ['one slot given back for two', { max_concurrent: 2 }, [0, 0, [1, 'end'], 2, 2], atOnce],
    [
      'no slots saved up by ends without a start',
      { max_concurrent: 2 },
      [[0, 'end'], [0, 'end'], 0, 0, 0],
      atOnce,
    ],
    ['slots of 299.999 s', { max_concurrent: 2 }, [0, 0, 299.999], atOnce],
    ['slots of 300 s', { max_concurrent: 2 }, [0, 0, 300], allowed],
    ['less than a burst', { ...many, burst_limit: 2 }, times(2), allowed],
    ['a burst', { ...many, burst_limit: 2 }, times(3), burst],
    ['a burst up to the end of its window', { ...many, burst_limit: 2 }, [0, 5, 9.999], burst],
    ['a burst of which one left the window', { ...many, burst_limit: 2 }, [0, 5, 10], allowed],
    [
      'a window of another size',
      { ...many, burst_limit: 1, burst_window_seconds: 60 },
      [0, 59],
      refused('throttle', 'Burst limit reached (1/1 in 60s)', { current: 1, limit: 1, window: 60 }),
    ],
    ['a full minute', { ...many, max_per_minute: 2 }, [0, 30, 59.999], minute],
    ['the next minute', { ...many, max_per_minute: 2 }, [0, 30, 60], allowed],
    [
      'twice the limit across a boundary',
      { ...many, max_per_minute: 2 },
      [59, 59, 60, 60],
      allowed,
    ],
    ['a full hour', { ...many, max_per_hour: 2 }, [0, 30, 3599], hour],
    ['the next hour', { ...many, max_per_hour: 2 }, [0, 30, 3600], allowed],
    ['a full day', { ...many, max_per_day: 2 }, [0, 30, 12 * 3600 - 1], day],
    ['midnight in UTC', { ...many, max_per_day: 2 }, [0, 30, 12 * 3600], allowed],
    [
      'concurrency before bursts before windows',
      { max_concurrent: 2, burst_limit: 2, max_per_minute: 2 },
      times(3),
      atOnce,
    ],
    ['bursts before windows', { ...many, burst_limit: 2, max_per_minute: 2 }, times(3), burst],
    [
      'minutes before hours before days',
      { ...many, max_per_minute: 2, max_per_hour: 2, max_per_day: 2 },
      times(3),
      minute,
    ],
    ['hours before days', { ...many, max_per_hour: 2, max_per_day: 2 }, times(3), hour],
  ])('%s', (_, rules, steps, expected) => {
    expect(lastOf(rules, steps)).toEqual(expected);
  });

  /** Returns steps in which each run ends before the next begins. */
  const inTurn = (count: number, apart = 0): Step[] =>
    Array.from({ length: count }, (__, i): Step[] => [i * apart, [i * apart, 'end']]).flat();

  test.each<[string, unknown, Step[], unknown]>([
    ['five at once', {}, times(5), allowed],
    ['not six', {}, times(6), { reason: 'Concurrent limit reached (5/5)' }],
    ['ten per minute', {}, inTurn(10), allowed],
    ['not eleven', {}, inTurn(11), { action: 'block', reason: 'Per-minute limit reached (10/10)' }],
    ['a hundred per hour', {}, inTurn(100, 30), allowed],
    ['not one more', {}, inTurn(101, 30), { reason: 'Per-hour limit reached (100/100)' }],
    ['null for none', { max_per_minute: null }, inTurn(11), { action: 'block' }],
    ['only the window that is set', { max_per_hour: 50 }, inTurn(50), allowed],
    ['no window with a burst limit', { burst_limit: 10_000 }, inTurn(500), allowed],
    ['no window with a limit at once', { max_concurrent: 1 }, inTurn(500), allowed],
    ['five at once whatever is set', { burst_limit: 100 }, times(6), { action: 'throttle' }],
    [
      'defaults with a burst window alone',
      { burst_window_seconds: 5 },
      inTurn(11),
      { action: 'block' },
    ],
    ['ten seconds of burst', { ...many, burst_limit: 1 }, [0, 9], { metadata: { window: 10 } }],
  ])('by default: %s', (_, rules, steps, expected) => {
    expect(lastOf(rules, steps)).toMatchObject(expected as object);
  });

  test('counts each pair of agent and workflow separately', () => {
    const of = (agent: string, workflow: string) => agentWorkflowKey({ agent, workflow } as never);
    const subjects = [of('a', 'b'), of('a', 'c'), of('a b', ''), of('', 'a b'), of('a","b', 'c')];
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(rateLimit.stateOf?.({ agent: 'a', workflow: 'b' } as never)).toBe(of('a', 'b'));
  });

  test('is evaluated only before runs', () => {
    expect([rateLimit.phases, rateLimit.atRunStart]).toEqual([['before_workflow'], undefined]);
  });

  const limits = ['max_per_minute', 'max_per_hour', 'max_per_day', 'max_concurrent', 'burst_limit'];
  test.each([
    ...limits.flatMap((rule) =>
      [0, -1, 1.5, '5', true, 1e12].map((value) => [rule, value] as const),
    ),
    ...[0, 86_401, null, '10'].map((value) => ['burst_window_seconds', value] as const),
  ])('refuses the value of %s: %j', (rule, value) => {
    expect(rulesProblem(rateLimit, { [rule]: value })).toMatch(new RegExp(`^${rule}: `));
  });

  test('rejects unknown rules', () => {
    expect(rulesProblem(rateLimit, { max_per_second: 1 })).toContain('"max_per_second"');
  });
});

/** A reference that searches all admitted runs for every check. */
function naive(rules: Required<Rules>) {
  const admitted: number[] = [];
  let slots: number[] = [];
  const bucket = (at: number, seconds: number): number => Math.floor(at / 1000 / seconds);
  return {
    check(now: number): string {
      slots = slots.filter((at) => now - at < 300_000);
      const within = (seconds: number) =>
        admitted.filter((at) => bucket(at, seconds) === bucket(now, seconds)).length;
      const recent = admitted.filter((at) => now - at < rules.burst_window_seconds * 1000);
      if (slots.length >= rules.max_concurrent) return 'Concurrent';
      if (recent.length >= rules.burst_limit) return 'Burst';
      if (within(60) >= rules.max_per_minute) return 'Per-minute';
      if (within(3600) >= rules.max_per_hour) return 'Per-hour';
      if (within(86_400) >= rules.max_per_day) return 'Per-day';
      admitted.push(now);
      slots.push(now);
      return 'Within';
    },
    end(now: number): void {
      slots = slots.filter((at) => now - at < 300_000).slice(1);
    },
    admitted,
  };
}

interface Rules {
  max_per_minute: number;
  max_per_hour: number;
  max_per_day: number;
  max_concurrent: number;
  burst_limit: number;
  burst_window_seconds: number;
}

const someRules = fc.record({
  max_per_minute: fc.integer({ min: 1, max: 6 }),
  max_per_hour: fc.integer({ min: 1, max: 20 }),
  max_per_day: fc.integer({ min: 1, max: 40 }),
  max_concurrent: fc.integer({ min: 1, max: 8 }),
  burst_limit: fc.integer({ min: 1, max: 5 }),
  burst_window_seconds: fc.integer({ min: 1, max: 120 }),
});
const wait = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 90_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(60_000, 299_999, 300_000, 3_600_000, 86_400_000) },
);
const someSteps = fc.array(fc.record({ wait, isEnd: fc.boolean() }), { maxLength: 80 });

describe('rate-limit, for any rules and any sequence of checks and ends', () => {
  test('matches a reference that scans all events, and a refusal changes no state', () => {
    fc.assert(
      fc.property(someRules, someSteps, (rules, steps) => {
        const pair = simulateSubject(rateLimit, rules);
        const reference = naive(rules);
        let now = NOON;
        for (const step of steps) {
          now += step.wait;
          if (step.isEnd) {
            pair.end({ now });
            reference.end(now);
            continue;
          }
          const before = pair.stored();
          const answer = pair.check({ now });
          expect(answer?.reason.split(' ')[0]).toBe(reference.check(now));
          const isRefused = answer?.action !== 'allow';
          expect([answer?.state === undefined, pair.stored() === before]).toEqual([
            isRefused,
            isRefused,
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('never admits more runs than a limit in a bucket, in a burst window, or concurrently', () => {
    fc.assert(
      fc.property(someRules, someSteps, (rules, steps) => {
        const pair = simulateSubject(rateLimit, rules);
        const admitted: number[] = [];
        let running: number[] = [];
        let now = NOON;
        for (const step of steps) {
          now += step.wait;
          running = running.filter((at) => now - at < 300_000);
          if (step.isEnd) {
            pair.end({ now });
            running.shift();
          } else if (pair.check({ now })?.action === 'allow') {
            admitted.push(now);
            running.push(now);
          }
          expect(running.length).toBeLessThanOrEqual(rules.max_concurrent);
        }
        for (const at of admitted) {
          const inBurst = admitted.filter(
            (other) => other >= at && other - at < rules.burst_window_seconds * 1000,
          );
          expect(inBurst.length).toBeLessThanOrEqual(rules.burst_limit);
        }
        for (const [seconds, limit] of [
          [60, rules.max_per_minute],
          [3600, rules.max_per_hour],
          [86_400, rules.max_per_day],
        ] as const) {
          const counts = Map.groupBy(admitted, (at) => Math.floor(at / (seconds * 1000)));
          for (const { length } of counts.values()) expect(length).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('keeps its state within the limits', () => {
    fc.assert(
      fc.property(someRules, someSteps, (rules, steps) => {
        const pair = simulateSubject(rateLimit, rules);
        let now = NOON;
        for (const step of steps) pair.check({ now: (now += step.wait) });
        const state = JSON.parse(pair.stored() ?? '{"taken":[],"admitted":[]}');
        expect(state.taken.length).toBeLessThanOrEqual(rules.max_concurrent);
        expect(state.admitted.length).toBeLessThanOrEqual(rules.burst_limit);
      }),
    );
  });
});

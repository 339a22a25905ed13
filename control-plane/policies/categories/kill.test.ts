import { describe, expect, test } from 'vitest';
import { NOON, rulesProblem, simulateSubject } from '#test/support/category-simulation.ts';
import { kill } from './kill.ts';

const MINUTE = 60_000;
const closed = { action: 'allow', reason: 'Circuit closed', metadata: { state: 'closed' } };

type Step = [minutes: number, ended: 'ok' | 'error', count: number];

function after(rules: unknown, steps: readonly Step[]) {
  const agent = simulateSubject(kill, rules);
  let id = 0;
  const said = steps.flatMap(([minutes, how, count]) =>
    Array.from({ length: count }, () =>
      agent.end({
        phase: how === 'ok' ? 'after_workflow' : 'on_failure',
        now: NOON + minutes * MINUTE,
        run: { id: (id += 1) },
      }),
    ),
  );
  return {
    said: said.filter((answer) => answer !== null),
    at: (minutes: number) => agent.check({ now: NOON + minutes * MINUTE }),
    end: (minutes: number, phase: 'after_workflow' | 'on_failure') =>
      agent.end({ phase, now: NOON + minutes * MINUTE }),
  };
}

const open = (errors: number, samples: number, percent: string, openedAt = NOON) => ({
  action: 'block',
  reason: `Circuit open: error rate ${percent} (${errors}/${samples}) exceeded 50%`,
  metadata: {
    state: 'open',
    errors,
    samples,
    error_rate: errors / samples,
    opened_at: new Date(openedAt).toISOString(),
    closes_at: new Date(openedAt + 30 * MINUTE).toISOString(),
  },
});

describe('kill', () => {
  test.each<[string, unknown, Step[], number, unknown]>([
    ['nothing has ended', {}, [], 0, closed],
    ['nine failed: too few to judge', {}, [[0, 'error', 9]], 0, closed],
    ['ten failed', {}, [[0, 'error', 10]], 0, open(10, 10, '100%')],
    [
      'half failed',
      {},
      [
        [0, 'ok', 10],
        [0, 'error', 10],
      ],
      0,
      closed,
    ],
    [
      'more than half failed',
      {},
      [
        [0, 'ok', 9],
        [0, 'error', 10],
      ],
      0,
      open(10, 19, '52.6%'),
    ],
    [
      'a success made it enough to judge',
      {},
      [
        [0, 'error', 9],
        [0, 'ok', 1],
      ],
      0,
      open(9, 10, '90%'),
    ],
    [
      'errors just within the window',
      {},
      [
        [0, 'error', 9],
        [4.9, 'error', 1],
      ],
      4.9,
      open(10, 10, '100%', NOON + 4.9 * MINUTE),
    ],
    [
      'errors that left the window',
      {},
      [
        [0, 'error', 9],
        [5.1, 'error', 1],
      ],
      5.1,
      closed,
    ],
    [
      'successes that left the window',
      {},
      [
        [0, 'ok', 90],
        [5.1, 'error', 10],
      ],
      5.1,
      open(10, 10, '100%', NOON + 5.1 * MINUTE),
    ],
    [
      'a longer window',
      { error_window_minutes: 60 },
      [
        [0, 'error', 9],
        [59, 'error', 1],
      ],
      59,
      open(10, 10, '100%', NOON + 59 * MINUTE),
    ],
    ['fewer samples wanted', { min_samples: 1 }, [[0, 'error', 1]], 0, open(1, 1, '100%')],
    ['open until it recovers', {}, [[0, 'error', 10]], 29.99, open(10, 10, '100%')],
    ['recovered', {}, [[0, 'error', 10]], 30, closed],
    ['recovered sooner', { auto_recover_after_minutes: 1 }, [[0, 'error', 10]], 1, closed],
    ['off', { enabled: false }, [[0, 'error', 100]], 0, null],
    [
      'no more than may fail',
      { kill_on_error_rate: 0.99 },
      [
        [0, 'ok', 1],
        [0, 'error', 99],
      ],
      0,
      closed,
    ],
    [
      'none may fail',
      { kill_on_error_rate: 0, min_samples: 2 },
      [
        [0, 'ok', 1],
        [0, 'error', 1],
      ],
      0,
      { ...open(1, 2, '50%'), reason: 'Circuit open: error rate 50% (1/2) exceeded 0%' },
    ],
  ])('%s', (_, rules, steps, minutes, expected) => {
    expect(after(rules, steps).at(minutes)).toEqual(expected);
  });

  test('reports the opening only for the run that caused it', () => {
    const { said } = after({}, [
      [0, 'error', 14],
      [1, 'ok', 5],
    ]);
    const reason = 'Circuit opened: error rate 100% (10/10) exceeded 50%';
    expect(said).toEqual([{ ...open(10, 10, '100%'), action: 'warn', reason }]);
  });

  test('starts over after recovery, so that earlier failures no longer count', () => {
    const { at, end } = after({ auto_recover_after_minutes: 1 }, [
      [0, 'error', 10],
      [0.5, 'error', 50],
    ]);
    expect(at(1)).toEqual(closed);
    for (let i = 0; i < 9; i += 1) end(1, 'on_failure');
    expect(at(1)).toEqual(closed);
    end(1, 'on_failure');
    expect(at(1)?.action).toBe('block');
  });

  test('counts per agent, across workflows', () => {
    const subject = (agent: string, workflow: string) =>
      kill.stateOf?.({ agent, workflow } as never);
    expect(subject('a', 'x')).toBe(subject('a', 'y'));
    expect(subject('a', 'x')).not.toBe(subject('b', 'x'));
  });

  test('keeps its state bounded', () => {
    const agent = simulateSubject(kill, { kill_on_error_rate: 0.99 });
    for (let i = 0; i < 1000; i += 1)
      agent.end({ phase: i % 2 ? 'on_failure' : 'after_workflow', now: NOON + i * 500 });
    expect(agent.stored()?.length).toBeLessThan(4000);
  });

  test.each<[unknown, string]>([
    [{ enabled: 'yes' }, 'enabled: '],
    [{ kill_on_error_rate: 1 }, 'kill_on_error_rate: '],
    [{ kill_on_error_rate: 1.1 }, 'kill_on_error_rate: '],
    [{ kill_on_error_rate: -0.1 }, 'kill_on_error_rate: '],
    [{ kill_on_error_rate: 50 }, 'kill_on_error_rate: '],
    [{ error_window_minutes: 0 }, 'error_window_minutes: '],
    [{ error_window_minutes: 1441 }, 'error_window_minutes: '],
    [{ min_samples: 0 }, 'min_samples: '],
    [{ min_samples: 2.5 }, 'min_samples: '],
    [{ auto_recover_after_minutes: 0 }, 'auto_recover_after_minutes: '],
    [{ error_rate: 0.5 }, '"error_rate"'],
  ])('rejects %j and names the rule', (rules, message) => {
    expect(rulesProblem(kill, rules)).toContain(message);
  });
});

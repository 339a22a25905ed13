import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { evaluatePause, allowedPauseMinutes, maxPauseMinutes } from './pause.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = { started_at: 1_000_000 * HOUR, started_uptime: 5 * HOUR, minutes: 30 };
const after = (wall: number, uptime = wall) => ({
  wall: start.started_at + wall,
  uptime: start.started_uptime + uptime,
});

describe('a pause of 30 minutes', () => {
  test.each<[string, ReturnType<typeof after>, number, object]>([
    ['has just begun', after(0), 30, { remainingMs: 30 * MINUTE }],
    ['lasts', after(10 * MINUTE), 30, { remainingMs: 20 * MINUTE }],
    ['lasts, where more is permitted', after(10 * MINUTE), 60, { remainingMs: 20 * MINUTE }],
    ['is over', after(30 * MINUTE), 30, { ended_by: 'time' }],
    ['is over after a night asleep', after(9 * HOUR), 30, { ended_by: 'time' }],
    ['ends with its permission', after(MINUTE), 0, { ended_by: 'permission' }],
    ['is shortened with its permission', after(10 * MINUTE), 15, { remainingMs: 5 * MINUTE }],
    ['is longer than what is permitted now', after(20 * MINUTE), 15, { ended_by: 'permission' }],
    ['the clock is set back by an hour', after(-HOUR, MINUTE), 30, { ended_by: 'clock' }],
    ['the clock was set back before its end', after(-HOUR, 30 * MINUTE), 30, { ended_by: 'time' }],
    ['the clock is set forward', after(20 * MINUTE, MINUTE), 30, { ended_by: 'clock' }],
    ['the clock is set beyond its end', after(HOUR, MINUTE), 30, { ended_by: 'time' }],
    [
      'the clock is corrected by seconds',
      after(9 * MINUTE + 58_000, 10 * MINUTE),
      30,
      { remainingMs: 20 * MINUTE },
    ],
    ['the computer was started again', after(2 * MINUTE, -4 * HOUR), 30, { ended_by: 'clock' }],
  ])('%s', (_, now, permitted, expected) => {
    expect(evaluatePause(start, now, permitted)).toEqual(expected);
  });

  test('lasts no longer than its minutes by either clock, whatever happens to the other clock', () => {
    const time = fc.integer({ min: -10 * HOUR, max: 10 * HOUR });
    fc.assert(
      fc.property(time, time, fc.nat({ max: 480 }), (wall, uptime, permitted) => {
        const evaluated = evaluatePause(start, after(wall, uptime), permitted);
        if (!('remainingMs' in evaluated)) return;
        const longest = Math.min(30, permitted) * MINUTE;
        expect(evaluated.remainingMs).toBeGreaterThan(0);
        expect(evaluated.remainingMs + wall).toBeLessThanOrEqual(longest);
        expect(evaluated.remainingMs + uptime).toBeLessThanOrEqual(longest);
      }),
    );
  });
});

const config: DeviceConfig = {
  version: 1,
  capture_enabled: true,
  intercept_hosts: ['claude.ai'],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 30,
  coding_agents: 'off',
  tool_checks: 'off',
};

test.each<[string, DeviceConfig | null, number, number]>([
  ['capture is on', config, 30, 30],
  ['there is no configuration', null, 0, 0],
  ['no layer says so', { ...config, pause_minutes: 0 }, 0, 0],
  ['capture is off', { ...config, capture_enabled: false }, 0, 30],
  ['capture is on for no host', { ...config, intercept_hosts: [] }, 0, 30],
  // The control plane sends 0 in this case, but the device does not rely on that.
  ['policies are enforced', { ...config, enforce_policies: true }, 0, 0],
])('the permitted minutes if %s', (_, given, mayBegin, mayLast) => {
  expect([allowedPauseMinutes(given), maxPauseMinutes(given)]).toEqual([mayBegin, mayLast]);
});

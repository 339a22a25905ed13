import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { openState } from '../state/state.ts';
import { stateEntries } from '../state/state-folder.ts';
import { captureOf } from '../testing/control-plane.ts';
import { createPauses, type Pauses } from './pauses.ts';

const MINUTE = 60_000;
let dir: string;
let config: DeviceConfig | null;
/** Milliseconds of sleep: the uptime passes with the timers and during sleep. */
let slept: number;
let setBy: number;
let bootedAgo: number;
let pauses: Pauses;
let changes: number;

const restart = (): void => {
  pauses?.stop();
  const clocks = () => ({
    wall: Date.now() + slept + setBy,
    uptime: Date.now() + slept - bootedAgo,
  });
  pauses = createPauses({ state: openState(dir), config: () => config, user: 'ada', clocks });
  pauses.changed.subscribe(() => (changes += 1));
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 14) });
  dir = mkdtempSync(join(tmpdir(), 'pauses-'));
  [slept, setBy, bootedAgo, changes] = [0, 0, Date.now() - 3_600_000, 0];
  config = { ...captureOf(1, 'claude.ai'), pause_minutes: 30 };
  restart();
});
afterEach(() => {
  pauses.stop();
  vi.useRealTimers();
  rmSync(dir, { recursive: true });
});

const minutesLeft = (): number | null => {
  const until = pauses.until();
  return until === null ? null : (until - Date.now() - slept - setBy) / MINUTE;
};
const ends = () => pauses.unreported().map(({ ended_by }) => ended_by);

test('a pause ends by itself, and its start and end are reported', () => {
  expect(pauses.start()).toBe(true);
  expect([minutesLeft(), changes]).toEqual([30, 1]);
  expect(pauses.unreported()).toMatchObject([
    { user: 'ada', minutes: 30, started_at: Date.now(), ended_at: null, ended_by: null },
  ]);
  vi.advanceTimersByTime(30 * MINUTE - 1);
  expect(minutesLeft()).not.toBe(null);
  vi.advanceTimersByTime(1);
  expect([minutesLeft(), changes, ends()]).toEqual([null, 2, ['time']]);
});

test('a pause that cannot be stored begins and ends all the same', () => {
  mkdirSync(join(dir, `${stateEntries.record}.new`));
  expect(pauses.start()).toBe(true);
  vi.advanceTimersByTime(30 * MINUTE);
  expect([minutesLeft(), changes, ends()]).toEqual([null, 2, ['time']]);
});

test('without permission, capture is not paused', () => {
  config = captureOf(1, 'claude.ai');
  expect(pauses.start()).toBe(false);
  expect([pauses.allowedMinutes(), pauses.until(), pauses.unreported(), changes]).toEqual([
    0,
    null,
    [],
    0,
  ]);
});

test('pausing again during a pause does not extend it', () => {
  pauses.start();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(pauses.start()).toBe(true);
  expect([minutesLeft(), ends()]).toEqual([20, [null]]);
});

test('the user resumes', () => {
  pauses.start();
  pauses.resume();
  pauses.resume();
  expect([minutesLeft(), ends()]).toEqual([null, ['person']]);
});

test('withdrawing the permission ends a pause', () => {
  pauses.start();
  config = captureOf(2, 'claude.ai');
  pauses.check();
  expect([minutesLeft(), ends(), changes]).toEqual([null, ['permission'], 2]);
});

test('sleep counts, and the end is noticed soon after waking up', () => {
  pauses.start();
  vi.advanceTimersByTime(MINUTE);
  slept = 8 * 60 * MINUTE;
  expect(minutesLeft()).toBe(null);
  vi.advanceTimersByTime(5000);
  expect(ends()).toEqual(['time']);
});

test.each([-60, 60])('setting the clock by %i minutes ends a pause', (minutes) => {
  pauses.start();
  vi.advanceTimersByTime(MINUTE);
  setBy = minutes * MINUTE;
  vi.advanceTimersByTime(5000);
  expect(minutesLeft()).toBe(null);
  expect(ends()).toEqual([minutes > 0 ? 'time' : 'clock']);
});

test('a restart of the agent changes nothing', () => {
  pauses.start();
  vi.advanceTimersByTime(10 * MINUTE);
  restart();
  expect(minutesLeft()).toBe(20);
  vi.advanceTimersByTime(20 * MINUTE);
  expect(ends()).toEqual(['time']);
});

test('a pause that ended while the agent did not run is over when it starts', () => {
  pauses.start();
  pauses.stop();
  vi.advanceTimersByTime(40 * MINUTE);
  restart();
  expect([minutesLeft(), ends()]).toEqual([null, ['time']]);
});

test('a restart of the computer ends a pause', () => {
  pauses.start();
  vi.advanceTimersByTime(2 * MINUTE);
  bootedAgo = Date.now() - MINUTE;
  restart();
  expect(ends()).toEqual(['clock']);
});

test('a pause is forgotten only once its end was reported', () => {
  pauses.start();
  const lasting = pauses.unreported();
  pauses.acknowledge(lasting);
  expect(pauses.unreported()).toEqual(lasting);
  pauses.resume();
  pauses.acknowledge(lasting);
  expect(ends()).toEqual(['person']);
  pauses.acknowledge(pauses.unreported());
  expect(pauses.unreported()).toEqual([]);
});

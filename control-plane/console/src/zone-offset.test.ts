import { expect, test } from 'vitest';
import { changeDisplay } from './display.ts';
import { fromLocal, toLocal } from './time-range.ts';
import { offsetOfZone } from './time-range.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['UTC', '2026-07-01T12:00:00Z', 0],
  ['Europe/Paris', '2026-07-01T12:00:00Z', 2],
  ['Europe/Paris', '2026-01-01T12:00:00Z', 1],
  ['Asia/Kolkata', '2026-01-01T12:00:00Z', 5.5],
  ['America/St_Johns', '2026-01-01T00:00:00Z', -3.5],
])('%s at %s is %s hours ahead of UTC', (zone, at, hours) =>
  expect(offsetOfZone(zone, Date.parse(at))).toBe(hours * HOUR_MS),
);

test.each([
  ['Europe/Paris', '2026-07-01T14:30', '2026-07-01T12:30:00.000Z'],
  // Clocks in Paris went forward on 2026-03-29 at 01:00 UTC.
  ['Europe/Paris', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Paris', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['America/New_York', '2026-01-01T00:00', '2026-01-01T05:00:00.000Z'],
  ['utc', '2026-01-01T00:00', '2026-01-01T00:00:00.000Z'],
])('in %s, the field value %s is the time %s', (timeZone, local, moment) => {
  changeDisplay({ timeZone });
  expect(fromLocal(local)).toBe(moment);
  expect(toLocal(moment)).toBe(local);
  changeDisplay({ timeZone: 'local' });
});

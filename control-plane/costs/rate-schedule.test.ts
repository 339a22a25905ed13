import { describe, expect, test } from 'vitest';
import { ratesAt, scheduleOf } from './rate-schedule.ts';

const priced = (input_mtok: number) => ({ input_mtok });

describe('a price that applies at night', () => {
  const schedule = scheduleOf({
    prices: [
      { prices: priced(1) },
      {
        prices: priced(2),
        constraint: { type: 'time_of_date', start_time: '22:30:00Z', end_time: '06:00:00+02:00' },
      },
    ],
  });
  test.each([
    ['22:29:59.999', 1],
    ['22:30:00', 2],
    ['23:59:59', 2],
    ['00:00:00', 2],
    ['03:59:59', 2],
    // This is 06:00 at +02:00.
    ['04:00:00', 1],
    ['12:00:00', 1],
  ])('at %s: %d', (time, price) => {
    const at = Date.parse(`2026-11-20T${time}Z`);
    expect(schedule && ratesAt(schedule, at).input.base).toBe(price);
  });
});

test.each([
  [{ audio_hours: 0.36 }, null],
  [{}, 0],
  [{ output_mtok: 1 }, 0],
  [priced(3), 3],
])('a model billed by %j costs %s per million input tokens', (prices, price) => {
  const schedule = scheduleOf({ prices });
  expect(schedule && ratesAt(schedule, 0).input.base).toBe(price);
});

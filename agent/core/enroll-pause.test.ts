import { describe, expect, test } from 'vitest';
import { createEnrollPause } from './enroll-pause.ts';

const MINUTE = 60_000;

/** Enrolls again whenever permitted, and returns the waiting time before each attempt. */
function waits(times: number, acceptedForMs: number): number[] {
  const pause = createEnrollPause();
  let now = 1000;
  return Array.from({ length: times }, () => {
    pause.recordAcceptance(now);
    now += acceptedForMs;
    pause.recordAcceptance(now);
    pause.recordRefusal(now, 0.5);
    const left = pause.remainingMs(now);
    now += left;
    expect(pause.remainingMs(now)).toBe(0);
    return left;
  });
}

describe('the pause before enrolling again', () => {
  test('grows up to half an hour while no identity lasts, even though each is accepted', () => {
    expect(waits(6, 10_000)).toEqual([0, 1000, 2000, 4000, 8000, 16_000]);
    expect(waits(20, 4 * MINUTE).at(-1)).toBe(15 * MINUTE);
  });

  test('is not needed after an identity was accepted for five minutes', () => {
    expect(waits(4, 5 * MINUTE)).toEqual([0, 0, 0, 0]);
  });

  test("does not count the time of a computer's sleep as acceptance", () => {
    const pause = createEnrollPause();
    pause.recordRefusal(0, 0.5);
    pause.recordAcceptance(0);
    pause.recordRefusal(60 * MINUTE, 0.5);
    expect(pause.remainingMs(60 * MINUTE)).toBe(1000);
  });
});

test('an identity is disputed from the second rejection until one lasts', () => {
  const pause = createEnrollPause();
  const seen = [pause.isDisputed()];
  for (const now of [0, 1]) {
    pause.recordRefusal(now, 0);
    seen.push(pause.isDisputed());
  }
  for (const now of [2, 2 + 5 * MINUTE]) {
    pause.recordAcceptance(now);
    seen.push(pause.isDisputed());
  }
  expect(seen).toEqual([false, false, true, true, false]);
});

import { expect, test, vi } from 'vitest';
import { runEvery, repeatWithPauses } from './background-job.ts';

const LONG_MS = 60_000;

test('a failure is reported, and the job runs again', async () => {
  const errors: unknown[] = [];
  let times = 0;
  const end = runEvery(
    async () => {
      times += 1;
      if (times < 3) throw new Error(`time ${times}`);
    },
    { everyMs: 1, onError: (error) => errors.push((error as Error).message) },
  );
  await expect.poll(() => times).toBeGreaterThan(3);
  await end();
  const timesAtEnd = times;
  // This waits as long as another job takes for several runs.
  let otherTimes = 0;
  const work = async (): Promise<void> => void (otherTimes += 1);
  const endOther = runEvery(work, { everyMs: 1, onError: () => undefined });
  await expect.poll(() => otherTimes).toBeGreaterThan(3);
  await endOther();
  expect([errors, times]).toEqual([['time 1', 'time 2'], timesAtEnd]);
});

test('a trigger ends the wait, even if it comes during a run', async () => {
  let wake = (): void => undefined;
  let isSubscribed = true;
  let times = 0;
  const end = runEvery(
    async () => {
      times += 1;
      if (times === 1) wake();
    },
    {
      everyMs: LONG_MS,
      onError: () => undefined,
      trigger(callback) {
        wake = callback;
        return () => {
          isSubscribed = false;
        };
      },
    },
  );
  await expect.poll(() => times).toBe(2);
  wake();
  await expect.poll(() => times).toBe(3);
  await end();
  expect(isSubscribed).toBe(false);
});

test('stopping interrupts the run through its signal', async () => {
  let ended = false;
  const begun = Promise.withResolvers<void>();
  const end = runEvery(
    (stopping) =>
      new Promise((resolve) => {
        begun.resolve();
        stopping.addEventListener('abort', () => {
          ended = true;
          resolve();
        });
      }),
    { everyMs: LONG_MS, onError: () => undefined },
  );
  await begun.promise;
  await end();
  expect(ended).toBe(true);
});

test('runs keep a minimum interval, however often they are triggered', async () => {
  let wake = (): void => undefined;
  const began: number[] = [];
  const end = runEvery(
    async () => {
      began.push(performance.now());
      wake();
    },
    {
      everyMs: LONG_MS,
      onError: () => undefined,
      trigger(callback) {
        wake = callback;
        return () => undefined;
      },
    },
  );
  await vi.waitUntil(() => began.length > 2);
  await end();
  expect((began[2] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(900);
});

test('a step is repeated until no work is left', async () => {
  let left = 3;
  await repeatWithPauses(async () => (left -= 1) > 0, 0, new AbortController().signal);
  expect(left).toBe(0);
});

test('no step follows a stop', async () => {
  const stopping = new AbortController();
  let steps = 0;
  const step = async () => {
    steps += 1;
    if (steps === 2) stopping.abort();
    return true;
  };
  await repeatWithPauses(step, 0, stopping.signal);
  await repeatWithPauses(step, 0, stopping.signal);
  expect(steps).toBe(2);
});

import { expect, test, vi } from 'vitest';
import { runEvery } from './background-job.ts';

const LONG_MS = 60_000;

test('what fails is told, and done again', async () => {
  const told: unknown[] = [];
  let times = 0;
  const end = runEvery(
    async () => {
      times += 1;
      if (times < 3) throw new Error(`time ${times}`);
    },
    { everyMs: 1, onError: (error) => told.push((error as Error).message) },
  );
  await expect.poll(() => times).toBeGreaterThan(3);
  await end();
  const before = times;
  // As long as another one takes for several times.
  let others = 0;
  const work = async (): Promise<void> => void (others += 1);
  const endOther = runEvery(work, { everyMs: 1, onError: () => undefined });
  await expect.poll(() => others).toBeGreaterThan(3);
  await endOther();
  expect([told, times]).toEqual([['time 1', 'time 2'], before]);
});

test('a rest ends when somebody wakes it, also one who did so during the work', async () => {
  let wake = (): void => undefined;
  let isTold = true;
  let times = 0;
  const end = runEvery(
    async () => {
      times += 1;
      if (times === 1) wake();
    },
    {
      everyMs: LONG_MS,
      onError: () => undefined,
      trigger(given) {
        wake = given;
        return () => {
          isTold = false;
        };
      },
    },
  );
  await expect.poll(() => times).toBe(2);
  wake();
  await expect.poll(() => times).toBe(3);
  await end();
  expect(isTold).toBe(false);
});

test('it ends in the middle of the work, which is told', async () => {
  let ended = false;
  const end = runEvery(
    (stopping) =>
      new Promise((resolve) => {
        stopping.addEventListener('abort', () => {
          ended = true;
          resolve();
        });
      }),
    { everyMs: LONG_MS, onError: () => undefined },
  );
  await end();
  expect(ended).toBe(true);
});

test('however often it is woken, it rests', async () => {
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
      trigger(given) {
        wake = given;
        return () => undefined;
      },
    },
  );
  await vi.waitUntil(() => began.length > 2, { timeout: LONG_MS });
  await end();
  expect((began[2] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(900);
});

import { expect, test, vi } from 'vitest';
import { startLoop } from './loop.ts';

/** A loop whose work takes its pauses from a list and then rests. */
function record(pauses: (number | null)[]) {
  const times = { done: 0 };
  const loop = startLoop(async () => {
    times.done += 1;
    return pauses.shift() ?? null;
  });
  const until = (done: number): Promise<void> =>
    vi.waitFor(() => expect(times.done).toBe(done), { interval: 5 });
  return { loop, times, until };
}

const turns = async (count = 5): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise(setImmediate);
};

test('goes on after a pause and rests when there is nothing to do', async () => {
  const { loop, times, until } = record([0, 1, 0]);
  await until(4);
  await turns();
  expect(times.done).toBe(4);
  await loop.stop();
});

test('waking ends a rest but not a pause; runNow ends both', async () => {
  const { loop, times, until } = record([null, 3_600_000]);
  await until(1);
  await turns();
  loop.wake();
  await until(2);
  await turns();
  loop.wake();
  await turns();
  expect(times.done).toBe(2);
  loop.runNow();
  await until(3);
  await loop.stop();
});

test.each([
  ['wake', null, 2],
  ['wake', 3_600_000, 1],
  ['runNow', 3_600_000, 2],
] as const)('%s during work that then asks for %s: done %i times', async (call, pause, done) => {
  let count = 0;
  const loop = startLoop(async () => {
    count += 1;
    if (count === 1) loop[call]();
    return pause;
  });
  await turns();
  expect(count).toBe(done);
  await loop.stop();
});

test('stopping aborts the work in progress and waits for its end', async () => {
  const events: string[] = [];
  const loop = startLoop(async (signal) => {
    events.push('started');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await turns();
    events.push('ended');
    return 0;
  });
  await turns();
  await loop.stop();
  expect(events).toEqual(['started', 'ended']);
});

test('a first pause is kept, unless runNow is called', async () => {
  let count = 0;
  const work = async (): Promise<null> => {
    count += 1;
    return null;
  };
  const loop = startLoop(work, 1e9);
  await turns();
  expect(count).toBe(0);
  loop.runNow();
  await turns();
  expect(count).toBe(1);
  await loop.stop();
});

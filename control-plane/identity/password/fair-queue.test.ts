import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { fairQueue } from './fair-queue.ts';

const PLACES = 4;

/** Creates a queue in which each task runs until the test ends it. */
function startQueue() {
  const queue = fairQueue();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: string[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const join = (from: string, name = from, limit = PLACES): Promise<void> =>
    queue
      .run(from, limit, async () => {
        begun.push(name);
        mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
        await new Promise<void>((resolve) => ends.push(resolve));
        atOnce -= 1;
      })
      .catch((error: unknown) => {
        refused.push(`${name} ${error instanceof ApiError ? error.code : 'failed'}`);
      });
  /** Ends the current task and lets the next one start. */
  const endTurn = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const endAll = async (): Promise<void> => {
    while (ends.length > 0) await endTurn();
  };
  return { join, endTurn, endAll, begun, refused, mostAtOnce: () => mostAtOnce };
}

test('tasks run one at a time, round-robin between sources', async () => {
  const { join, endAll, begun, mostAtOnce } = startQueue();
  const joined = [join('a', 'a1'), join('a', 'a2'), join('a', 'a3'), join('b', 'b1')];
  joined.push(join('c', 'c1'));
  await endAll();
  await Promise.all(joined);
  expect([begun, mostAtOnce()]).toEqual([['a1', 'a2', 'b1', 'c1', 'a3'], 1]);
});

test('a failing task ends its turn', async () => {
  const queue = fairQueue();
  const failed = queue.run('a', PLACES, () => Promise.reject(new Error('no')));
  const next = queue.run('b', PLACES, () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('if a single source fills the queue, only that source is rejected', async () => {
  const { join, endAll, begun, refused } = startQueue();
  const joined = [1, 2, 3, 4, 5, 6].map((i) => join('a', `a${i}`));
  await Promise.resolve();
  joined.push(join('b'), join('c'));
  await endAll();
  await Promise.all(joined);
  expect(begun).toEqual(['a1', 'a2', 'b', 'c', 'a3']);
  expect(refused).toEqual(['a6', 'a5', 'a4'].map((name) => `${name} rate_limited`));
});

test('a full queue rejects new sources, except with a higher limit', async () => {
  const { join, endAll, begun, refused } = startQueue();
  const joined = ['a', 'b', 'c', 'd', 'e', 'f'].map((from) => join(from));
  joined.push(join('signed-in', 'signed-in', PLACES + 1));
  await endAll();
  await Promise.all(joined);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'signed-in']);
  expect(refused).toEqual(['f unavailable']);
});

test('a rejection says when to retry', async () => {
  const queue = fairQueue();
  const turn = Promise.withResolvers<void>();
  const running = queue.run('a', 0, () => turn.promise);
  const refusal = queue.run('b', 0, () => Promise.resolve());
  await expect(refusal).rejects.toMatchObject({ details: { retry_after: 5 } });
  turn.resolve();
  await running;
});

test('for any input: one task at a time, no more waiting than the limit, and every task settles', async () => {
  const steps = fc.array(
    fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.constant(null)),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (input) => {
      const { join, endTurn, endAll, begun, refused, mostAtOnce } = startQueue();
      const joined: Promise<void>[] = [];
      for (const from of input) {
        if (from === null) await endTurn();
        else joined.push(join(from));
        await new Promise((resolve) => setImmediate(resolve));
        const waiting = joined.length - begun.length - refused.length;
        expect(waiting).toBeLessThanOrEqual(PLACES);
      }
      await endAll();
      await Promise.all(joined);
      expect(begun.length + refused.length).toBe(joined.length);
      expect(mostAtOnce()).toBeLessThanOrEqual(1);
    }),
    { numRuns: 50 },
  );
});

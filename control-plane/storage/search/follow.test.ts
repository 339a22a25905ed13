import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { follow, type Source } from './follow.ts';
import type { FromIndexer, ToIndexer } from './messages.ts';

const STEP_MS = 100;
const WAKES_MS = 300;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An indexing thread whose every step takes as long, with so many steps of work to do. */
function start(work: number) {
  const said: FromIndexer[] = [];
  let steps = 0;
  const source: Source = {
    async indexSome() {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      steps += 1;
      return steps <= work;
    },
    markOf: () => 1,
    isReached: () => false,
    close: () => undefined,
  };
  const port = Object.assign(new EventEmitter(), {
    postMessage: (message: FromIndexer) => void said.push(message),
    close: () => undefined,
  });
  follow(port as unknown as MessagePort, source);
  const tell = (message: ToIndexer): void => void port.emit('message', message);
  return {
    said,
    tell,
    stepsAfter: async (ms: number): Promise<number> => {
      const before = steps;
      await vi.advanceTimersByTimeAsync(ms);
      return steps - before;
    },
    /** Wakes it the way recording does. */
    async recordingFor(ms: number): Promise<number> {
      const before = steps;
      for (let at = 0; at < ms; at += WAKES_MS) {
        tell({ kind: 'wake' });
        await vi.advanceTimersByTimeAsync(WAKES_MS);
      }
      return steps - before;
    },
  };
}

test('while there is recording it rests twenty times as long as it works', async () => {
  const thread = start(Infinity);
  expect(await thread.recordingFor(4200)).toBe(2);
});

test('the longer recording does not let it catch up the less it rests, after a minute not at all', async () => {
  const thread = start(Infinity);
  const minute = [
    await thread.recordingFor(20_000),
    await thread.recordingFor(20_000),
    await thread.recordingFor(20_000),
  ];
  expect(minute).toEqual(minute.toSorted((a, b) => a - b));
  expect(await thread.recordingFor(6000)).toBeGreaterThan(55);
});

test('when recording is over it catches up without a rest', async () => {
  const thread = start(Infinity);
  thread.tell({ kind: 'wake' });
  // The rest that began while there was recording.
  await thread.stepsAfter(STEP_MS * 21);
  expect(await thread.stepsAfter(2000)).toBeGreaterThan(18);
});

test('a search is not kept waiting by a rest', async () => {
  const thread = start(Infinity);
  thread.tell({ kind: 'wake' });
  await thread.stepsAfter(STEP_MS + 1);
  thread.tell({ kind: 'catch-up', id: 1, tenantId: 'tnt_1', withinMs: 1000 });
  expect(await thread.stepsAfter(1000)).toBeGreaterThan(8);
  await thread.stepsAfter(200);
  expect(thread.said).toEqual([{ kind: 'caught-up', id: 1, complete: false }]);
});

test('with nothing left to do it sleeps, until there is something', async () => {
  const thread = start(2);
  thread.tell({ kind: 'wake' });
  expect(await thread.stepsAfter(60_000)).toBe(4);
  expect(await thread.stepsAfter(60_000)).toBe(0);
  thread.tell({ kind: 'wake' });
  expect(await thread.stepsAfter(STEP_MS + 1)).toBe(1);
});

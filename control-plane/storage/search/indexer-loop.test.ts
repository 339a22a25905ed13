import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runIndexer, type IndexerSource } from './indexer-loop.ts';
import type { FromIndexer, ToIndexer } from './indexer-thread.ts';

const STEP_MS = 100;
const WAKES_MS = 300;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts an indexing thread with this many steps of work, all of the same duration. */
function start(work: number) {
  const messages: FromIndexer[] = [];
  let steps = 0;
  const source: IndexerSource = {
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
    postMessage: (message: FromIndexer) => void messages.push(message),
    close: () => undefined,
  });
  runIndexer(port as unknown as MessagePort, source);
  const send = (message: ToIndexer): void => void port.emit('message', message);
  return {
    said: messages,
    send,
    stepsAfter: async (ms: number): Promise<number> => {
      const stepsBefore = steps;
      await vi.advanceTimersByTimeAsync(ms);
      return steps - stepsBefore;
    },
    /** Wakes the thread at the rate of recording; returns the number of steps done in this time. */
    async recordingFor(ms: number): Promise<number> {
      const stepsBefore = steps;
      for (let at = 0; at < ms; at += WAKES_MS) {
        send({ kind: 'wake' });
        await vi.advanceTimersByTimeAsync(WAKES_MS);
      }
      return steps - stepsBefore;
    },
  };
}

test('during recording it pauses twenty times as long as it works', async () => {
  const thread = start(Infinity);
  expect(await thread.recordingFor(4200)).toBe(2);
});

test('the longer recording keeps it behind, the less it pauses, until it stops pausing after a minute', async () => {
  const thread = start(Infinity);
  const minute = [
    await thread.recordingFor(20_000),
    await thread.recordingFor(20_000),
    await thread.recordingFor(20_000),
  ];
  expect(minute).toEqual(minute.toSorted((a, b) => a - b));
  expect(await thread.recordingFor(6000)).toBeGreaterThan(55);
});

test('after recording stops it catches up without pauses', async () => {
  const thread = start(Infinity);
  thread.send({ kind: 'wake' });
  // The pause that began during recording still ends first.
  await thread.stepsAfter(STEP_MS * 21);
  expect(await thread.stepsAfter(2000)).toBeGreaterThan(18);
});

test('a pause does not delay a search', async () => {
  const thread = start(Infinity);
  thread.send({ kind: 'wake' });
  await thread.stepsAfter(STEP_MS + 1);
  thread.send({ kind: 'catch-up', id: 1, tenantId: 'tnt_1', timeoutMs: 1000 });
  expect(await thread.stepsAfter(1000)).toBeGreaterThan(8);
  await thread.stepsAfter(200);
  expect(thread.said).toEqual([{ kind: 'caught-up', id: 1, complete: false }]);
});

test('without work it sleeps until it is woken', async () => {
  const thread = start(2);
  thread.send({ kind: 'wake' });
  expect(await thread.stepsAfter(60_000)).toBe(4);
  expect(await thread.stepsAfter(60_000)).toBe(0);
  thread.send({ kind: 'wake' });
  expect(await thread.stepsAfter(STEP_MS + 1)).toBe(1);
});

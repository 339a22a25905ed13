import type { Settings } from '../config.ts';
import type { Reporter } from '../report.ts';
import { backoffMs } from './backoff.ts';
import { type Batch, bodyOf, itemsOf } from './batch.ts';
import {
  drainQueue,
  isEmpty,
  type RunQueue,
  NEVER,
  nextBatch,
  waitsForParent,
} from './run-queue.ts';
import type { SendResult, Send } from './request.ts';
import { applyResult, type BatchResult } from './apply-result.ts';
import { unref } from '../unref.ts';

// The server commits concurrent requests together: with less concurrency, each would wait for its own
// commit.
const MAX_CONCURRENT_REQUESTS = 16;

export interface Sender {
  /** Schedules a queue for `dueAt` (epoch milliseconds), unless it is due earlier. */
  enqueue(queue: RunQueue, dueAt: number): void;
  /** Sends all queues now. Resolves when each of them has been empty once. */
  flush(): Promise<unknown>;
  /** Stops sending. Returns the queues that are not empty. */
  close(): RunQueue[];
}

/** Sends the content of queues to the server, several queues concurrently. */
export function createSender(
  settings: Pick<Settings, 'baseUrl' | 'retryDelayMs'>,
  send: Send,
  report: Reporter,
  onResult: (result: BatchResult) => void,
): Sender {
  const pending = new Set<RunQueue>();
  let inFlight = 0;
  let failures = 0;
  let unavailableUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = NEVER;
  let closed = false;

  function wake(at: number): void {
    if (closed || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(
      () => {
        timerAt = NEVER;
        pump();
      },
      Math.max(0, at - Date.now()),
    );
    // Does not keep the process alive.
    unref(timer);
  }

  function pump(): void {
    const now = Date.now();
    if (now < unavailableUntil) return wake(unavailableUntil);
    // After a failure, a single request probes whether the server is available again.
    const limit = failures > 0 ? 1 : MAX_CONCURRENT_REQUESTS;
    let next = NEVER;
    for (const queue of pending) {
      // Each delivery calls `pump` when it is done.
      if (inFlight >= limit || closed) return;
      if (queue.busy || waitsForParent(queue)) continue;
      const at = Math.max(queue.dueAt, queue.notBefore);
      if (at > now) next = Math.min(next, at);
      else void deliver(queue);
    }
    wake(next);
  }

  async function deliver(queue: RunQueue): Promise<void> {
    queue.busy = true;
    inFlight += 1;
    try {
      while (await deliverNext(queue));
    } catch (error) {
      // Not expected. An unhandled rejection would end the agent's process.
      const problem = `the records of a run could not be sent: ${String(error)}`;
      onResult({ delivered: [], dropped: drainQueue(queue), problem });
    }
    queue.busy = false;
    inFlight -= 1;
    if (isEmpty(queue)) remove(queue);
    pump();
  }

  /** Sends the next batch. True if another one is due. */
  async function deliverNext(queue: RunQueue): Promise<boolean> {
    const batch = nextBatch(queue);
    if (!batch) return false;
    const request = { method: 'POST', path: batch.path, body: bodyOf(batch) } as const;
    const result = await send({ ...request, background: true });
    if (closed) return false;
    logResult(batch, result);
    onResult(applyResult(queue, batch, result));
    updateAvailability(result);
    if (result.kind === 'unavailable' || result.kind === 'retry') {
      requeue(queue, batch, result);
      return false;
    }
    return queue.batches.length > 0 || queue.dueAt <= Date.now();
  }

  function requeue(
    queue: RunQueue,
    batch: Batch,
    result: SendResult & { retryAfterMs: number },
  ): void {
    queue.dueAt = Date.now();
    if (result.kind === 'retry') {
      const delay = backoffMs(batch.failures, settings.retryDelayMs);
      queue.notBefore = Date.now() + Math.max(delay, result.retryAfterMs);
    }
    // Behind the others: this queue may be the cause of the failure.
    pending.delete(queue);
    pending.add(queue);
  }

  function updateAvailability(result: SendResult): void {
    if (result.kind !== 'unavailable') {
      failures = 0;
      unavailableUntil = 0;
      return;
    }
    // Concurrent requests that fail together count as one failure.
    if (Date.now() < unavailableUntil) return;
    failures += 1;
    const delay = backoffMs(failures, settings.retryDelayMs);
    unavailableUntil = Date.now() + Math.max(delay, result.retryAfterMs);
    if (failures === 1)
      report.problem('unreachable', `${settings.baseUrl} is unreachable: ${result.message}`);
  }

  function logResult(batch: Batch, result: SendResult): void {
    const outcome = result.kind === 'ok' ? 'ok' : `${result.kind}: ${result.message}`;
    report.debug(`${batch.path} (${itemsOf(batch).length}) ${outcome}`);
  }

  function remove(queue: RunQueue): void {
    pending.delete(queue);
    for (const resolve of queue.onEmpty.splice(0)) resolve();
  }

  return {
    enqueue(queue, dueAt) {
      pending.add(queue);
      queue.dueAt = Math.min(queue.dueAt, dueAt);
      wake(Math.max(queue.dueAt, unavailableUntil));
    },
    flush() {
      unavailableUntil = 0;
      for (const queue of pending) queue.dueAt = 0;
      pump();
      return Promise.all(
        [...pending].map((queue) => new Promise<void>((resolve) => queue.onEmpty.push(resolve))),
      );
    },
    close() {
      closed = true;
      clearTimeout(timer);
      const remaining = [...pending];
      for (const queue of remaining) remove(queue);
      return remaining;
    },
  };
}

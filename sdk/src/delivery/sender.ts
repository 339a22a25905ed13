import type { Settings } from '../config.ts';
import type { Reporter } from '../report.ts';
import { createAlarm } from './alarm.ts';
import { backoffMs } from './backoff.ts';
import { createAvailability } from './availability.ts';
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

// The server commits concurrent requests together. With less concurrency, each request would wait
// for its own commit.
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
  const availability = createAvailability(settings, report);
  const alarm = createAlarm(pump);
  let inFlight = 0;
  let closed = false;

  function pump(): void {
    const now = Date.now();
    const unavailableUntil = availability.unavailableUntil();
    if (now < unavailableUntil) return wake(unavailableUntil);
    // After a failure, a single request probes whether the server is available again.
    const limit = availability.isFailing() ? 1 : MAX_CONCURRENT_REQUESTS;
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
      // This is not expected. An unhandled rejection would end the agent's process.
      const line = `the records of a run could not be sent: ${String(error)}`;
      onResult({ delivered: [], dropped: drainQueue(queue), error: line });
    }
    queue.busy = false;
    inFlight -= 1;
    if (isEmpty(queue)) remove(queue);
    pump();
  }

  /** Sends the next batch. Resolves to true if another batch is due. */
  async function deliverNext(queue: RunQueue): Promise<boolean> {
    const batch = nextBatch(queue);
    if (!batch) return false;
    const request = { method: 'POST', path: batch.path, body: bodyOf(batch) } as const;
    const result = await send({ ...request, background: true });
    if (closed) return false;
    logResult(report, batch, result);
    onResult(applyResult(queue, batch, result));
    availability.update(result);
    if (result.kind === 'unavailable' || result.kind === 'retry') {
      postpone(queue, batch, result, settings);
      // Moved behind the others, because this queue may be the cause of the failure.
      pending.delete(queue);
      pending.add(queue);
      return false;
    }
    return queue.batches.length > 0 || queue.dueAt <= Date.now();
  }

  function wake(at: number): void {
    if (!closed) alarm.set(at);
  }

  function remove(queue: RunQueue): void {
    pending.delete(queue);
    for (const resolve of queue.onEmpty.splice(0)) resolve();
  }

  return {
    enqueue(queue, dueAt) {
      pending.add(queue);
      queue.dueAt = Math.min(queue.dueAt, dueAt);
      wake(Math.max(queue.dueAt, availability.unavailableUntil()));
    },
    flush() {
      availability.retryNow();
      for (const queue of pending) queue.dueAt = 0;
      pump();
      return Promise.all(
        [...pending].map((queue) => new Promise<void>((resolve) => queue.onEmpty.push(resolve))),
      );
    },
    close() {
      closed = true;
      alarm.clear();
      const remaining = [...pending];
      for (const queue of remaining) remove(queue);
      return remaining;
    },
  };
}

function postpone(
  queue: RunQueue,
  batch: Batch,
  result: SendResult & { retryAfterMs: number },
  { retryDelayMs }: Pick<Settings, 'retryDelayMs'>,
): void {
  queue.dueAt = Date.now();
  if (result.kind !== 'retry') return;
  const delay = backoffMs(batch.failures, retryDelayMs);
  queue.notBefore = Date.now() + Math.max(delay, result.retryAfterMs);
}

function logResult(report: Reporter, batch: Batch, result: SendResult): void {
  const outcome = result.kind === 'ok' ? 'ok' : `${result.kind}: ${result.message}`;
  report.debug(`${batch.path} (${itemsOf(batch).length}) ${outcome}`);
}

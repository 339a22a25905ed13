import type { Settings } from '../config.ts';
import type { Stats } from '../recording/types.ts';
import type { Reporter } from '../report.ts';
import { type QueuedItem, itemOf, type BatchKind, MAX_BYTES, MAX_ITEMS } from './batch.ts';
import { createSender } from './sender.ts';
import { drainQueue, type RunQueue, createRunQueue } from './run-queue.ts';
import type { Send } from './request.ts';

const MAX_QUEUED_BYTES = 64_000_000;

interface Completion {
  status: 'success' | 'error';
  result?: Record<string, unknown> | undefined;
  error?: string;
}

export interface Outbox {
  /**
   * Queues the start of a run. Undefined if the outbox is full: the run is then not recorded at
   * all.
   */
  startRun(start: object, parent?: RunQueue): RunQueue | undefined;
  add(queue: RunQueue, kind: BatchKind, value: object): void;
  complete(queue: RunQueue, completion: Completion): void;
  /** The queue of records without a run. */
  readonly tenantQueue: RunQueue;
  /** Sends all queued records. Resolves to false on timeout. */
  flush(timeoutMs: number): Promise<boolean>;
  /** Drops all queued records, and all further ones. */
  close(): void;
  stats: () => Stats;
}

/**
 * Creates the bounded buffer between the agent and the server. If it is full, new records are
 * dropped. Accepted runs stay complete, with their start and completion.
 */
export function createOutbox(settings: Settings, send: Send, report: Reporter): Outbox {
  const stats: Stats = { queued: 0, delivered: 0, dropped: 0 };
  let bytes = 0;
  let closed = false;
  let reportedFull = false;
  const tenantQueue = createRunQueue(undefined);

  const sender = createSender(settings, send, report, ({ delivered, dropped, error, reason }) => {
    release(delivered);
    stats.delivered += delivered.length;
    drop(dropped);
    if (error) report.problem('refused', error, reason);
  });

  function accept(item: QueuedItem): QueuedItem {
    stats.queued += 1;
    bytes += item.bytes;
    return item;
  }

  function release(items: readonly QueuedItem[]): void {
    stats.queued -= items.length;
    for (const item of items) bytes -= item.bytes;
    // The full outbox is reported again only after it was half empty, not for every dropped record.
    if (stats.queued <= settings.maxQueue / 2) reportedFull = false;
  }

  function drop(items: readonly QueuedItem[]): void {
    release(items);
    stats.dropped += items.length;
  }

  /** The reason why a record cannot be accepted. Empty if it has been reported already. */
  function rejectionOf(item: QueuedItem): string | undefined {
    if (item.bytes > MAX_BYTES) return `a record of ${item.bytes} bytes exceeds the size limit`;
    if (stats.queued < settings.maxQueue && bytes + item.bytes <= MAX_QUEUED_BYTES)
      return undefined;
    if (reportedFull) return '';
    reportedFull = true;
    return `the queue is full: ${stats.queued} records`;
  }

  /** Whether a record can be accepted. If not, it is counted as dropped and reported. */
  function checkCapacity(item: QueuedItem): boolean {
    const reason = closed ? '' : rejectionOf(item);
    if (reason === undefined) return true;
    stats.dropped += 1;
    if (reason) report.problem('dropped', `${reason}; this and further records are dropped`);
    return false;
  }

  /** Omits fields that exceed the size limit, so that the run itself is still recorded. */
  function withoutOversizedFields(
    value: object,
    [field, ...others]: readonly string[],
  ): QueuedItem {
    const item = itemOf(value);
    if (item.bytes <= MAX_BYTES || !field) return item;
    report.problem('dropped', `${field} of ${item.bytes} bytes exceeds the size limit`);
    return withoutOversizedFields({ ...value, [field]: undefined }, others);
  }

  return {
    tenantQueue,
    startRun(start, parent) {
      const item = withoutOversizedFields(start, ['inputs', 'metadata']);
      if (!checkCapacity(item)) return undefined;
      const queue = createRunQueue(accept(item), parent);
      sender.enqueue(queue, Date.now());
      return queue;
    },
    add(queue, kind, value) {
      const item = itemOf(value);
      if (queue.state === 'refused') stats.dropped += 1;
      else if (checkCapacity(item)) {
        const count = queue.items[kind].push(accept(item));
        sender.enqueue(queue, Date.now() + (count < MAX_ITEMS ? settings.flushIntervalMs : 0));
      }
    },
    complete(queue, completion) {
      if (closed || queue.state === 'refused') return;
      queue.completion = accept(withoutOversizedFields(completion, ['result']));
      sender.enqueue(queue, Date.now());
    },
    async flush(timeoutMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      // Not unref'ed, so the process stays alive until the flush is done or times out.
      const timeout = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), timeoutMs);
      });
      const done = await Promise.race([sender.flush().then(() => true), timeout]);
      clearTimeout(timer);
      return done;
    },
    close() {
      closed = true;
      for (const queue of sender.close()) {
        drop(drainQueue(queue));
        queue.state = 'refused';
        queue.onStarted(queue.runId);
        queue.onCompleted(undefined);
      }
    },
    stats: () => ({ ...stats }),
  };
}

import {
  type Batch,
  batchOf,
  completePath,
  countWithinLimits,
  type QueuedItem,
  itemsOf,
  type BatchKind,
  kinds,
  singleOf,
  startPath,
  withField,
} from './batch.ts';

/**
 * The queue of one run, in the order that the server requires: start, records, completion. At most
 * one request of a queue is in flight.
 */
export interface RunQueue {
  /**
   * The start of the run. Undefined once it is in a batch, and for the queue of records without a
   * run.
   */
  start: QueuedItem | undefined;
  parent: RunQueue | undefined;
  /** The id of the run on the server. Empty until the start is acknowledged. */
  runId: string;
  items: Record<BatchKind, QueuedItem[]>;
  completion: QueuedItem | undefined;
  /** Batches in flight or to be sent, in order. Retries send them unchanged. */
  batches: Batch[];
  /**
   * `open`: the start is acknowledged. `refused`: the run was rejected, or the outbox was closed.
   */
  state: 'starting' | 'open' | 'refused';
  busy: boolean;
  /** The time at which the queue is due, in epoch milliseconds. */
  dueAt: number;
  /** The time before which nothing is sent after an error response, in epoch milliseconds. */
  notBefore: number;
  onStarted: (runId: string) => void;
  onCompleted: (result: unknown) => void;
  /** Callbacks that are called once, when the queue is empty. */
  onEmpty: (() => void)[];
}

export const NEVER = Number.POSITIVE_INFINITY;

export function createRunQueue(start: QueuedItem | undefined, parent?: RunQueue): RunQueue {
  return {
    start,
    parent,
    runId: '',
    items: { calls: [], steps: [], spans: [], scores: [], events: [] },
    completion: undefined,
    batches: [],
    state: start ? 'starting' : 'open',
    busy: false,
    dueAt: NEVER,
    notBefore: 0,
    onStarted: () => undefined,
    onCompleted: () => undefined,
    onEmpty: [],
  };
}

/** Whether everything in the queue is in batches. */
const isBatched = (queue: RunQueue): boolean =>
  !queue.start && !queue.completion && kinds.every((kind) => queue.items[kind].length === 0);

export const isEmpty = (queue: RunQueue): boolean => isBatched(queue) && queue.batches.length === 0;

/** Whether the parent must start first. The start of a child run contains the parent's id. */
export const waitsForParent = ({ start, parent }: RunQueue): boolean =>
  start !== undefined && parent?.state === 'starting';

/** Returns the batch to send next. It stays first in the queue until it is delivered or dropped. */
export function nextBatch(queue: RunQueue): Batch | undefined {
  const [current] = queue.batches;
  if (current) return current;
  const batch = createBatch(queue);
  if (batch) queue.batches.push(batch);
  // New records start a new flush interval.
  if (isBatched(queue)) queue.dueAt = NEVER;
  return batch;
}

function createBatch(queue: RunQueue): Batch | undefined {
  const { start, parent, completion } = queue;
  if (start) {
    queue.start = undefined;
    queue.parent = undefined;
    const item = parent?.runId ? withField(start, 'parent_run_id', parent.runId) : start;
    return singleOf('start', startPath, item);
  }
  const kind = kinds.find((one) => queue.items[one].length > 0);
  if (kind) {
    const items = queue.items[kind];
    const next = items.splice(0, countWithinLimits(items));
    return batchOf(kind, queue.runId, kind === 'events' ? withRunId(next, queue.runId) : next);
  }
  if (!completion) return undefined;
  queue.completion = undefined;
  return singleOf('complete', completePath(queue.runId), completion);
}

/** Adds the run's id to events, because the events of all runs have the same endpoint. */
const withRunId = (events: QueuedItem[], runId: string): QueuedItem[] =>
  runId ? events.map((event) => withField(event, 'run_id', runId)) : events;

/**
 * Replaces the first batch by its two halves to isolate an invalid item. Returns false if that is
 * impossible.
 */
export function splitFirst(queue: RunQueue): boolean {
  const [batch, ...others] = queue.batches;
  if (!batch || !('items' in batch.content) || batch.budget.splits <= 0) return false;
  const { kind, items } = batch.content;
  if (items.length < 2) return false;
  batch.budget.splits -= 1;
  const middle = Math.ceil(items.length / 2);
  const parts = [items.slice(0, middle), items.slice(middle)];
  const halves = parts.map((part) => batchOf(kind, queue.runId, part, batch.budget));
  queue.batches = [...halves, ...others];
  return true;
}

/** Removes and returns all items. */
export function drainQueue(queue: RunQueue): QueuedItem[] {
  const items = [
    ...(queue.start ? [queue.start] : []),
    ...queue.batches.flatMap(itemsOf),
    ...kinds.flatMap((kind) => queue.items[kind].splice(0)),
    ...(queue.completion ? [queue.completion] : []),
  ];
  queue.batches = [];
  queue.start = undefined;
  queue.completion = undefined;
  return items;
}

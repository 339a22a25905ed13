import { type Batch, type QueuedItem, itemsOf } from './batch.ts';
import { drainQueue, splitFirst, type RunQueue } from './run-queue.ts';
import type { SendResult } from './request.ts';

/** The effect of a result on a batch. */
export interface BatchResult {
  delivered: readonly QueuedItem[];
  dropped: readonly QueuedItem[];
  /** The reason why items were dropped. */
  error?: string;
  /** The server's reason, if it has refused the items. */
  reason?: string | undefined;
}

const MAX_FAILURES = 10;
const noChange: BatchResult = { delivered: [], dropped: [] };

/** Applies the result of the first batch to its queue. An unavailable server changes nothing. */
export function applyResult(queue: RunQueue, batch: Batch, result: SendResult): BatchResult {
  switch (result.kind) {
    case 'ok':
      return accept(queue, batch, result.body);
    case 'refused':
      return refuse(queue, batch, result);
    case 'retry':
      batch.failures += 1;
      if (batch.failures < MAX_FAILURES) return noChange;
      return refuse(queue, batch, result);
    case 'unavailable':
      return noChange;
  }
}

function accept(queue: RunQueue, batch: Batch, body: unknown): BatchResult {
  const { kind } = batch.content;
  if (kind === 'start') {
    const { run_id } = body as { run_id?: unknown };
    if (typeof run_id !== 'string' || !run_id)
      return refuseRun(queue, 'the response has no run_id');
    queue.runId = run_id;
    queue.state = 'open';
    queue.onStarted(run_id);
  }
  queue.batches.shift();
  if (kind === 'complete') queue.onCompleted(body);
  return { delivered: itemsOf(batch), dropped: [] };
}

type Refusal = Extract<SendResult, { status: number }>;

function refuse(queue: RunQueue, batch: Batch, { status, message, reason }: Refusal): BatchResult {
  const { kind } = batch.content;
  if (kind === 'start') return refuseRun(queue, `a run was rejected: ${message}`, reason);
  // The server does not know the run and would reject all other batches too.
  if (status === 404 && queue.runId) return refuseRun(queue, message, reason);
  if (status === 409 && kind === 'complete') {
    // An earlier attempt succeeded, but its response was lost.
    queue.batches.shift();
    queue.onCompleted(undefined);
    return { delivered: itemsOf(batch), dropped: [] };
  }
  if ((status === 400 || status === 413) && splitFirst(queue)) return noChange;
  queue.batches.shift();
  if (kind === 'complete') queue.onCompleted(undefined);
  return {
    delivered: [],
    dropped: itemsOf(batch),
    error: `${kind} rejected: ${message}`,
    reason,
  };
}

function refuseRun(queue: RunQueue, error: string, reason?: string): BatchResult {
  const dropped = drainQueue(queue);
  queue.state = 'refused';
  queue.onStarted('');
  queue.onCompleted(undefined);
  return { delivered: [], dropped, error, reason };
}

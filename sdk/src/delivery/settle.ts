import { type Batch, type Item, itemsOf } from './batch.ts';
import { emptyLane, halveFirst, type Lane } from './lane.ts';
import type { Answer } from './request.ts';

/** What an answer means for the batch that it answers. */
export interface Settled {
  delivered: readonly Item[];
  dropped: readonly Item[];
  /** Why something was dropped. */
  problem?: string;
}

const MOST_FAILURES = 10;
const nothing: Settled = { delivered: [], dropped: [] };

/** Takes an answer to the lane's first batch into the lane. An absent server changes nothing. */
export function settle(lane: Lane, batch: Batch, answer: Answer): Settled {
  switch (answer.kind) {
    case 'ok':
      return accept(lane, batch, answer.body);
    case 'refused':
      return refuse(lane, batch, answer.status, answer.message);
    case 'again':
      batch.failures += 1;
      if (batch.failures < MOST_FAILURES) return nothing;
      return refuse(lane, batch, answer.status, answer.message);
    case 'away':
      return nothing;
  }
}

function accept(lane: Lane, batch: Batch, body: unknown): Settled {
  const { kind } = batch.content;
  if (kind === 'start') {
    const { run_id } = body as { run_id?: unknown };
    if (typeof run_id !== 'string' || !run_id) return refuseRun(lane, 'its answer has no run_id');
    lane.runId = run_id;
    lane.state = 'open';
    lane.onStarted(run_id);
  }
  lane.batches.shift();
  if (kind === 'complete') lane.onCompleted(body);
  return { delivered: itemsOf(batch), dropped: [] };
}

function refuse(lane: Lane, batch: Batch, status: number, message: string): Settled {
  const { kind } = batch.content;
  if (kind === 'start') return refuseRun(lane, `a run was refused: ${message}`);
  // Of a run that the server does not know nothing else will be taken either.
  if (status === 404 && lane.runId) return refuseRun(lane, message);
  if (status === 409 && kind === 'complete') {
    // An earlier attempt had arrived, and only its answer was lost.
    lane.batches.shift();
    lane.onCompleted(undefined);
    return { delivered: itemsOf(batch), dropped: [] };
  }
  if ((status === 400 || status === 413) && halveFirst(lane)) return nothing;
  lane.batches.shift();
  if (kind === 'complete') lane.onCompleted(undefined);
  return { delivered: [], dropped: itemsOf(batch), problem: `${kind} were refused: ${message}` };
}

function refuseRun(lane: Lane, problem: string): Settled {
  const dropped = emptyLane(lane);
  lane.state = 'refused';
  lane.onStarted('');
  lane.onCompleted(undefined);
  return { delivered: [], dropped, problem };
}

import type { Settings } from '../config.ts';
import type { Reporter } from '../report.ts';
import { backoffMs } from './backoff.ts';
import { type Batch, bodyOf, itemsOf } from './batch.ts';
import { emptyLane, isEmpty, type Lane, NEVER, nextBatch, waitsForParent } from './lane.ts';
import type { Answer, Send } from './request.ts';
import { settle, type Settled } from './settle.ts';
import { unref } from '../unref.ts';

// The server commits together what arrives together: a few at a time would each wait for a commit.
const LANES_AT_ONCE = 16;

export interface Courier {
  /** This lane holds something that may be sent from then on. */
  offer(lane: Lane, dueAt: number): void;
  /** All is due now. Resolves when each lane that waits has been empty once. */
  hurry(): Promise<unknown>;
  /** Gives the lanes up that still wait. */
  close(): Lane[];
}

/** Brings lanes to the server, some at a time, until each is empty. */
export function createCourier(
  settings: Pick<Settings, 'baseUrl' | 'retryDelayMs'>,
  send: Send,
  report: Reporter,
  onSettled: (settled: Settled) => void,
): Courier {
  const waiting = new Set<Lane>();
  let underWay = 0;
  let failures = 0;
  let awayUntil = 0;
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
    // A process that has nothing else to do may end.
    unref(timer);
  }

  function pump(): void {
    const now = Date.now();
    if (now < awayUntil) return wake(awayUntil);
    // After a failure, one request finds out whether the server is back.
    const most = failures > 0 ? 1 : LANES_AT_ONCE;
    let next = NEVER;
    for (const lane of waiting) {
      // Each that is under way comes back here when it is done.
      if (underWay >= most || closed) return;
      if (lane.busy || waitsForParent(lane)) continue;
      const at = Math.max(lane.dueAt, lane.notBefore);
      if (at > now) next = Math.min(next, at);
      else void deliver(lane);
    }
    wake(next);
  }

  async function deliver(lane: Lane): Promise<void> {
    lane.busy = true;
    underWay += 1;
    try {
      while (await deliverNext(lane));
    } catch (error) {
      // Nothing here may fail; should it do so all the same, it must not end the agent's process.
      const problem = `what belongs to a run could not be sent: ${String(error)}`;
      onSettled({ delivered: [], dropped: emptyLane(lane), problem });
    }
    lane.busy = false;
    underWay -= 1;
    if (isEmpty(lane)) leave(lane);
    pump();
  }

  /** True when there is more of it to be sent now. */
  async function deliverNext(lane: Lane): Promise<boolean> {
    const batch = nextBatch(lane);
    if (!batch) return false;
    const request = { method: 'POST', path: batch.path, body: bodyOf(batch) } as const;
    const answer = await send({ ...request, background: true });
    if (closed) return false;
    logAnswer(batch, answer);
    onSettled(settle(lane, batch, answer));
    noteReach(answer);
    if (answer.kind === 'away' || answer.kind === 'again') {
      putBack(lane, batch, answer);
      return false;
    }
    return lane.batches.length > 0 || lane.dueAt <= Date.now();
  }

  function putBack(lane: Lane, batch: Batch, answer: Answer & { retryAfterMs: number }): void {
    lane.dueAt = Date.now();
    if (answer.kind === 'again') {
      const wait = backoffMs(batch.failures, settings.retryDelayMs);
      lane.notBefore = Date.now() + Math.max(wait, answer.retryAfterMs);
    }
    // Others first: this one may be the cause.
    waiting.delete(lane);
    waiting.add(lane);
  }

  function noteReach(answer: Answer): void {
    if (answer.kind !== 'away') {
      failures = 0;
      awayUntil = 0;
      return;
    }
    // Of requests that were under way together, one tells what all tell.
    if (Date.now() < awayUntil) return;
    failures += 1;
    const wait = backoffMs(failures, settings.retryDelayMs);
    awayUntil = Date.now() + Math.max(wait, answer.retryAfterMs);
    if (failures === 1)
      report.problem('unreachable', `${settings.baseUrl} does not answer: ${answer.message}`);
  }

  function logAnswer(batch: Batch, answer: Answer): void {
    const outcome = answer.kind === 'ok' ? 'ok' : `${answer.kind}: ${answer.message}`;
    report.debug(`${batch.path} (${itemsOf(batch).length}) ${outcome}`);
  }

  function leave(lane: Lane): void {
    waiting.delete(lane);
    for (const tell of lane.onEmpty.splice(0)) tell();
  }

  return {
    offer(lane, dueAt) {
      waiting.add(lane);
      lane.dueAt = Math.min(lane.dueAt, dueAt);
      wake(Math.max(lane.dueAt, awayUntil));
    },
    hurry() {
      awayUntil = 0;
      for (const lane of waiting) lane.dueAt = 0;
      pump();
      return Promise.all(
        [...waiting].map((lane) => new Promise<void>((resolve) => lane.onEmpty.push(resolve))),
      );
    },
    close() {
      closed = true;
      clearTimeout(timer);
      const left = [...waiting];
      for (const lane of left) leave(lane);
      return left;
    },
  };
}

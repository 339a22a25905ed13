import { ApiError } from '#contract/errors.ts';
import type { AdminCaller } from '../../http/caller.ts';
import { networkOf } from '../networks.ts';

type Turn = PromiseWithResolvers<void>;

/** The delay after which to retry, long enough for many of the waiting tasks to finish. */
const RETRY_AFTER_S = 5;

/** Runs tasks one at a time from a bounded queue, fairly between sources. */
export interface FairQueue {
  /**
   * Runs the task in round-robin order: `from` waits for at most one task of every other source.
   * When the queue is full, the source with the most waiting tasks is rejected first.
   *
   * @param limit queue length above which this task is rejected
   * @throws ApiError `rate_limited` or `unavailable`, with `retry_after`
   */
  run<T>(from: string, limit: number, work: () => Promise<T>): Promise<T>;
}

export function fairQueue(): FairQueue {
  /** Waiting tasks by source, in the order of the sources' next turns. */
  const waiting = new Map<string, Turn[]>();
  let length = 0;
  let busy = false;

  function wait(from: string, limit: number): Promise<void> {
    const own = waiting.get(from) ?? [];
    if (length >= limit) evictNewest(own);
    const turn = Promise.withResolvers<void>();
    own.push(turn);
    waiting.set(from, own);
    length += 1;
    return turn.promise;
  }

  /**
   * Evicts the newest task of the source with the most tasks, unless that source would then have
   * fewer than the new source.
   */
  function evictNewest(own: readonly Turn[]): void {
    const longest = [...waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= own.length + 1) throw own.length > 0 ? tooMany() : queueFull();
    length -= 1;
    longest.pop()?.reject(tooMany());
  }

  function next(): void {
    const [first] = waiting;
    busy = first !== undefined;
    if (!first) return;
    const [from, own] = first;
    const turn = own.shift();
    waiting.delete(from);
    if (own.length > 0) waiting.set(from, own);
    length -= 1;
    turn?.resolve();
  }

  return {
    async run(from, limit, work) {
      if (busy) await wait(from, limit);
      busy = true;
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}

const retryLater = `try again in ${RETRY_AFTER_S} seconds`;
const details = { retry_after: RETRY_AFTER_S };

const tooMany = (): ApiError =>
  new ApiError(
    'concurrency_limited',
    `too many password attempts from this source: ${retryLater}`,
    details,
  );

const queueFull = (): ApiError =>
  new ApiError('overloaded', `too many sign-ins in progress: ${retryLater}`, details);

/**
 * The queue for all password hashing in this process, which has one thread for it: see
 * docs/decisions/014. When it is full, requests are rejected before any database query.
 */
const queue = fairQueue();

/**
 * The maximum length. A hash takes about half a second, so the last task waits about eight seconds.
 */
const MAX_QUEUE_LENGTH = 16;
/** Extra capacity for signed-in users, so that anonymous clients cannot lock them out. */
const MAX_QUEUE_LENGTH_SIGNED_IN = MAX_QUEUE_LENGTH + 4;

/** Runs work of a caller that is not signed in. Each network is one source. */
export const queueByNetwork = <T>(address: string, work: () => Promise<T>): Promise<T> =>
  queue.run(`network ${networkOf(address)}`, MAX_QUEUE_LENGTH, work);

export const queueByCaller = <T>(caller: AdminCaller, work: () => Promise<T>): Promise<T> =>
  queue.run('userId' in caller ? caller.userId : caller.keyId, MAX_QUEUE_LENGTH_SIGNED_IN, work);

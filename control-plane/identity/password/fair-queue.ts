import { ApiError } from '#contract/errors.ts';

type Turn = PromiseWithResolvers<void>;

/** Long enough for many of those who wait now to be done. */
const RETRY_AFTER_S = 5;

/** Does one thing after another, for those who wait in a line of so many places. */
export interface FairQueue {
  /**
   * Does the work when it is the turn of `from`, which waits for no more than one turn of each of
   * the others. In a full line, whoever has the most places is refused before others are.
   *
   * @param places how long the line may be for this one to get in
   * @throws ApiError `rate_limited` or `unavailable`, with the time to come back
   */
  inTurn<T>(from: string, places: number, work: () => Promise<T>): Promise<T>;
}

export function fairQueue(): FairQueue {
  /** By whom they are, in the order of their next turns. */
  const waiting = new Map<string, Turn[]>();
  let length = 0;
  let busy = false;

  function wait(from: string, places: number): Promise<void> {
    const own = waiting.get(from) ?? [];
    if (length >= places) makeRoom(own);
    const turn = Promise.withResolvers<void>();
    own.push(turn);
    waiting.set(from, own);
    length += 1;
    return turn.promise;
  }

  /** Takes the latest place from whoever has the most, if that still leaves them as many. */
  function makeRoom(own: readonly Turn[]): void {
    const most = [...waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= own.length + 1) throw own.length > 0 ? tooMany() : queueFull();
    length -= 1;
    most.pop()?.reject(tooMany());
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
    async inTurn(from, places, work) {
      if (busy) await wait(from, places);
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
  new ApiError('rate_limited', `too many passwords from you at once: ${retryLater}`, details);

const queueFull = (): ApiError =>
  new ApiError('unavailable', `too many people sign in at once: ${retryLater}`, details);

export interface GroupCommitOptions<W, R> {
  /** Approximate number of rows that the item writes. */
  sizeOf(work: W): number;
  /** Writes all items in one transaction, and returns a result for each. */
  write(works: readonly W[]): Promise<R[]>;
  /**
   * Whether the error means that the database is unavailable, so that it is unknown whether the
   * transaction committed.
   */
  isUnavailable(error: unknown): boolean;
  /** Maximum number of concurrent transactions; one by default. */
  maxConcurrent?: number;
}

interface Waiting<W, R> {
  work: W;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

const ROWS_PER_COMMIT = 5000;
/** The most turns of the event loop that a group waits for further items. */
const MAX_TURNS = 4;

/**
 * Combines concurrent writes into one transaction, and therefore one commit. Each call resolves
 * when that commit is durable.
 */
export function groupCommit<W, R>(grouping: GroupCommitOptions<W, R>): (work: W) => Promise<R> {
  const { maxConcurrent = 1 } = grouping;
  let queue: Waiting<W, R>[] = [];
  let running = 0;
  let collecting = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) await commit(takeGroup());
    running -= 1;
  }

  /**
   * Waits until a turn of the event loop adds no further items, so that all of them share the
   * commit.
   */
  function collect(previous: number, turns: number): void {
    const waiting = queue.length;
    if (waiting !== previous && turns > 0)
      return void setImmediate(() => collect(waiting, turns - 1));
    collecting = false;
    void drain();
  }

  function takeGroup(): Waiting<W, R>[] {
    const size = (at: number): number => grouping.sizeOf((queue[at] as Waiting<W, R>).work) + 1;
    let rows = 0;
    let end = 0;
    while (end < queue.length && (end === 0 || rows + size(end) <= ROWS_PER_COMMIT))
      rows += size(end++);
    const group = queue.slice(0, end);
    queue = queue.slice(end);
    return group;
  }

  async function commit(group: readonly Waiting<W, R>[]): Promise<void> {
    try {
      const results = await grouping.write(group.map(({ work }) => work));
      group.forEach(({ resolve }, index) => resolve(results[index] as R));
    } catch (error) {
      // An item that cannot be stored must not fail the others. While the database is unavailable,
      // it is unknown whether the transaction committed, and a retry could store items twice.
      if (group.length > 1 && !grouping.isUnavailable(error))
        for (const item of group) await commit([item]);
      else for (const { reject } of group) reject(error);
    }
  }

  return (work) =>
    new Promise<R>((resolve, reject) => {
      queue.push({ work, resolve, reject });
      if (collecting || running === maxConcurrent) return;
      collecting = true;
      running += 1;
      collect(0, MAX_TURNS);
    });
}

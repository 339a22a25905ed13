export interface Grouping<W, R> {
  /** How many rows the work writes, about. */
  sizeOf(work: W): number;
  /** Does all of it in one transaction, and answers for each. */
  write(works: readonly W[]): Promise<R[]>;
  /** After such an error nobody knows whether it committed. */
  isUnavailable(error: unknown): boolean;
  /** How many transactions may be under way; one unless said. */
  atOnce?: number;
}

interface Waiting<W, R> {
  work: W;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

const ROWS_PER_COMMIT = 5000;
/** Of the event loop. */
const MOST_TURNS = 4;

/**
 * Work that arrives together shares one transaction, and so one commit: each is answered when that
 * commit is durable.
 */
export function groupCommit<W, R>(grouping: Grouping<W, R>): (work: W) => Promise<R> {
  const { atOnce = 1 } = grouping;
  let queue: Waiting<W, R>[] = [];
  let underWay = 0;
  let gathering = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) await commit(takeGroup());
    underWay -= 1;
  }

  /** Until a turn of the event loop brings nobody else: whoever comes meanwhile shares the commit. */
  function gather(before: number, turns: number): void {
    const waiting = queue.length;
    if (waiting !== before && turns > 0) return void setImmediate(() => gather(waiting, turns - 1));
    gathering = false;
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
      // One that cannot be stored must not take the others with it. When the database is away
      // nobody knows whether it committed: trying again could store twice.
      if (group.length > 1 && !grouping.isUnavailable(error))
        for (const one of group) await commit([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  return (work) =>
    new Promise<R>((resolve, reject) => {
      queue.push({ work, resolve, reject });
      if (gathering || underWay === atOnce) return;
      gathering = true;
      underWay += 1;
      gather(0, MOST_TURNS);
    });
}

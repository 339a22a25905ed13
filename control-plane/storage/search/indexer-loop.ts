import type { MessagePort } from 'node:worker_threads';
import type { FromIndexer, ToIndexer } from './indexer-thread.ts';

/** Reads calls and writes their words, which differs between the databases. */
export interface IndexerSource {
  /**
   * Does one bounded step: indexes calls (of this tenant, if given), or else merges segments.
   * Returns false if there was no work.
   */
  indexSome(tenantId?: string): Promise<boolean> | boolean;
  /** Returns the newest recorded position of the tenant; null if everything is indexed. */
  markOf(tenantId: string): Promise<number | null> | number | null;
  isReached(tenantId: string, mark: number): Promise<boolean> | boolean;
  close(): Promise<void> | void;
}

interface Waiting {
  id: number;
  tenantId: string;
  until: number;
  mark?: number | null;
}

const MAX_PAUSE_MS = 2000;
/** Ratio of pause to work while calls are recorded and indexing keeps up. */
const MAX_PAUSE_RATIO = 20;
/** Pauses get shorter the further indexing is behind; at this age they end. */
const BEHIND_MS = 60_000;
/** Recording counts as active for this long after a wake-up. */
const RECORDING_MS = 1000;
const RECHECK_MS = 5000;
const LOCKED_MS = 20;

/**
 * Runs the indexing thread. It sleeps until it is woken, then indexes new calls in small steps.
 * While calls are recorded, it pauses between steps and leaves most of the machine to recording.
 * The longer it is behind, the shorter its pauses: constant recording is slowed down rather than
 * left unindexed. It does not pause while a search waits, or while recording is idle.
 */
export function runIndexer(port: MessagePort, source: IndexerSource): void {
  const waiting: Waiting[] = [];
  // When no calls are left it looks once more, because the transaction that woke it may not have
  // been committed yet.
  let checks = 0;
  let caughtUpAt = performance.now();
  let closing = false;
  const isClosing = (): boolean => closing;
  // `pending`: a message that ends pauses has arrived. `woken`: a call was recorded since the last
  // sleep.
  let pending = false;
  let woken = false;
  let wokenAt = -Infinity;
  let interrupt = (_kind: ToIndexer['kind']): void => undefined;

  const pause = (ms: number | undefined, endsWithWake: boolean): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      interrupt = (kind) => {
        if (kind === 'wake' && !endsWithWake) return;
        clearTimeout(timer);
        resolve();
      };
    });
  const pauseUnlessPending = async (ms: number): Promise<void> => {
    if (!pending) await pause(ms, false);
  };
  /**
   * Sleeps until the time is over or a message arrives; returns at once if a message is pending.
   */
  const sleep = async (ms?: number): Promise<void> => {
    if (!pending && !woken) await pause(ms, true);
    else woken = false;
    caughtUpAt = performance.now();
  };
  const post = (message: FromIndexer): void => port.postMessage(message);
  const answer = (to: Waiting, complete: boolean): void => {
    waiting.splice(waiting.indexOf(to), 1);
    post({ kind: 'caught-up', id: to.id, complete });
  };

  port.on('message', (message: ToIndexer) => {
    if (message.kind === 'wake') {
      checks = 2;
      woken = true;
      wokenAt = performance.now();
      return interrupt(message.kind);
    }
    if (message.kind === 'close') closing = true;
    else waiting.push({ ...message, until: performance.now() + message.timeoutMs });
    pending = true;
    interrupt(message.kind);
  });

  async function serveWaiting(first: Waiting): Promise<void> {
    if (first.mark === undefined) first.mark = await source.markOf(first.tenantId);
    if (first.mark === null || (await source.isReached(first.tenantId, first.mark)))
      return answer(first, true);
    checks = 2;
    if (performance.now() >= first.until) return answer(first, false);
    // If this process has no work to do, another one is indexing the call.
    await pauseUnlessPending((await source.indexSome(first.tenantId)) ? 0 : LOCKED_MS);
  }

  async function indexIdle(): Promise<void> {
    const began = performance.now();
    checks = (await source.indexSome()) ? 2 : checks - 1;
    const ended = performance.now();
    if (checks === 1) await sleep(RECHECK_MS);
    if (checks < 2) return;
    woken = false;
    await pauseUnlessPending(Math.min((ended - began) * pauseRatio(ended), MAX_PAUSE_MS));
  }

  function pauseRatio(now: number): number {
    if (now - wokenAt > RECORDING_MS) return 0;
    return MAX_PAUSE_RATIO * Math.max(0, 1 - (now - caughtUpAt) / BEHIND_MS);
  }

  async function step(): Promise<void> {
    const [first] = waiting;
    pending = false;
    if (first) await serveWaiting(first);
    else if (checks > 0) await indexIdle();
    else await sleep();
  }

  async function recover(error: unknown): Promise<void> {
    post({ kind: 'problem', message: `search indexing failed: ${(error as Error).message}` });
    while (waiting[0]) answer(waiting[0], false);
    checks = 2;
    await pauseUnlessPending(RECHECK_MS);
  }

  async function run(): Promise<void> {
    while (!isClosing()) await step().catch(recover);
    await source.close();
    port.close();
  }
  void run();
}

import type { MessagePort } from 'node:worker_threads';
import type { FromIndexer, ToIndexer } from './messages.ts';

/** Where calls come from and where their words go: what differs between the databases. */
export interface Source {
  /**
   * A bounded step: indexes calls, this tenant's where one is given, or else tidies the index. False
   * when there was nothing to do.
   */
  indexSome(tenantId?: string): Promise<boolean> | boolean;
  /** How far the tenant has recorded by now; null when nothing waits. */
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

const LONGEST_REST_MS = 2000;
/** How many times as long as a step took it rests, while there is recording and it is not behind. */
const MOST_RESTS = 20;
/** The further it is behind the less it rests; from here on not at all. */
const BEHIND_MS = 60_000;
/** So long after it was told of something new there still is recording. */
const RECORDING_MS = 1000;
const LOOK_AGAIN_MS = 5000;
const LOCKED_MS = 20;

/**
 * The indexing thread: sleeps until it is told of something new and indexes it in small steps. While
 * there is recording it rests between them, so that recording has the machine nearly for itself, but
 * the less the longer it has not caught up: recording that never pauses is slowed down rather than
 * left out of the index. While a search waits, and when nothing is recorded, it does not rest.
 */
export function follow(port: MessagePort, source: Source): void {
  const waiting: Waiting[] = [];
  // After the last find it looks once more: what it was told of may not have been committed.
  let looks = 0;
  let caughtUpAt = performance.now();
  let closing = false;
  const isClosing = (): boolean => closing;
  // Something that no rest holds up; and that there is recording, which is what it rests for.
  let told = false;
  let woken = false;
  let wokenAt = -Infinity;
  let stir = (_kind: ToIndexer['kind']): void => undefined;

  const pause = (ms: number | undefined, endsWithWake: boolean): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      stir = (kind) => {
        if (kind === 'wake' && !endsWithWake) return;
        clearTimeout(timer);
        resolve();
      };
    });
  const rest = async (ms: number): Promise<void> => {
    if (!told) await pause(ms, false);
  };
  /** Until the time is over, or there is something to do; not at all when there is already. */
  const sleep = async (ms?: number): Promise<void> => {
    if (!told && !woken) await pause(ms, true);
    else woken = false;
    caughtUpAt = performance.now();
  };
  const say = (message: FromIndexer): void => port.postMessage(message);
  const answer = (to: Waiting, complete: boolean): void => {
    waiting.splice(waiting.indexOf(to), 1);
    say({ kind: 'caught-up', id: to.id, complete });
  };

  port.on('message', (message: ToIndexer) => {
    if (message.kind === 'wake') {
      looks = 2;
      woken = true;
      wokenAt = performance.now();
      return stir(message.kind);
    }
    if (message.kind === 'close') closing = true;
    else waiting.push({ ...message, until: performance.now() + message.withinMs });
    told = true;
    stir(message.kind);
  });

  async function hurry(first: Waiting): Promise<void> {
    if (first.mark === undefined) first.mark = await source.markOf(first.tenantId);
    if (first.mark === null || (await source.isReached(first.tenantId, first.mark)))
      return answer(first, true);
    looks = 2;
    if (performance.now() >= first.until) return answer(first, false);
    // Nothing to take and yet not reached: another process is at it.
    await rest((await source.indexSome(first.tenantId)) ? 0 : LOCKED_MS);
  }

  async function stroll(): Promise<void> {
    const began = performance.now();
    looks = (await source.indexSome()) ? 2 : looks - 1;
    const ended = performance.now();
    if (looks === 1) await sleep(LOOK_AGAIN_MS);
    if (looks < 2) return;
    woken = false;
    await rest(Math.min((ended - began) * restsPerStep(ended), LONGEST_REST_MS));
  }

  function restsPerStep(now: number): number {
    if (now - wokenAt > RECORDING_MS) return 0;
    return MOST_RESTS * Math.max(0, 1 - (now - caughtUpAt) / BEHIND_MS);
  }

  async function step(): Promise<void> {
    const [first] = waiting;
    told = false;
    if (first) await hurry(first);
    else if (looks > 0) await stroll();
    else await sleep();
  }

  async function recover(error: unknown): Promise<void> {
    say({ kind: 'problem', line: `search indexing failed: ${(error as Error).message}` });
    while (waiting[0]) answer(waiting[0], false);
    looks = 2;
    await rest(LOOK_AGAIN_MS);
  }

  async function run(): Promise<void> {
    while (!isClosing()) await step().catch(recover);
    await source.close();
    port.close();
  }
  void run();
}

import type { MessagePort } from 'node:worker_threads';
import type { FromIndexer, ToIndexer } from './messages.ts';

/** Where calls come from and where their words go: what differs between the databases. */
export interface Source {
  /** Indexes a bounded number of calls, this tenant's first. False when there was nothing. */
  indexSome(tenantId?: string): Promise<boolean> | boolean;
  /** How far the tenant has recorded by now; null when nothing waits. */
  markOf(tenantId: string): Promise<number | null> | number | null;
  isReached(tenantId: string, mark: number): Promise<boolean> | boolean;
  forget(callIds: readonly number[]): Promise<void> | void;
  close(): Promise<void> | void;
}

interface Waiting {
  id: number;
  tenantId: string;
  until: number;
  mark?: number | null;
}

const LONGEST_REST_MS = 500;
const RESTS_PER_STEP = 5;
const LOOK_AGAIN_MS = 5000;
const LOCKED_MS = 20;

/**
 * The indexing thread: sleeps until it is told of something new, indexes it in small steps and
 * rests between them several times as long as they took, so that recording has the machine for
 * itself most of the time. While a search waits it does not rest.
 */
export function follow(port: MessagePort, source: Source): void {
  const waiting: Waiting[] = [];
  const forgotten: number[] = [];
  // After the last find it looks once more: what it was told of may not have been committed.
  let looks = 0;
  let closing = false;
  const isClosing = (): boolean => closing;
  let told = false;
  let stir = (): void => undefined;

  /** Until the time is over or something is told; not at all when that happened meanwhile. */
  const rest = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      if (told) return resolve();
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      stir = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const say = (message: FromIndexer): void => port.postMessage(message);
  const answer = (to: Waiting, complete: boolean): void => {
    waiting.splice(waiting.indexOf(to), 1);
    say({ kind: 'caught-up', id: to.id, complete });
  };

  port.on('message', (message: ToIndexer) => {
    if (message.kind === 'wake') looks = 2;
    else if (message.kind === 'forget') forgotten.push(...message.callIds);
    else if (message.kind === 'close') closing = true;
    else waiting.push({ ...message, until: performance.now() + message.withinMs });
    told = true;
    stir();
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
    const took = performance.now() - began;
    await rest(
      looks === 2
        ? Math.min(took * RESTS_PER_STEP, LONGEST_REST_MS)
        : looks === 1
          ? LOOK_AGAIN_MS
          : 0,
    );
  }

  async function step(): Promise<void> {
    const [first] = waiting;
    told = false;
    if (first) await hurry(first);
    else if (forgotten.length > 0) await source.forget(forgotten.splice(0));
    else if (looks > 0) await stroll();
    else await rest();
  }

  async function recover(error: unknown): Promise<void> {
    say({ kind: 'problem', line: `search indexing failed: ${(error as Error).message}` });
    while (waiting[0]) answer(waiting[0], false);
    looks = 2;
    await rest(LOOK_AGAIN_MS);
  }

  async function run(): Promise<void> {
    while (!isClosing() || forgotten.length > 0) await step().catch(recover);
    await source.close();
    port.close();
  }
  void run();
}

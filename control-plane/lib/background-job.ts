import { sleep } from './sleep.ts';

/** However often it is woken, it rests as long as this. */
const LEAST_REST_MS = 500;

interface JobOptions {
  /** How long to rest before the next time. */
  everyMs: number;
  onError: (error: unknown) => void;
  /** Tells when the rest may end early; answers how to stop telling. */
  trigger?: (wake: () => void) => () => void;
}

/**
 * Does something again and again, also after it failed. The answered function ends that, in the
 * middle if need be: the work is given a signal of it.
 */
export function runEvery(
  work: (stopping: AbortSignal) => Promise<void>,
  { everyMs, onError, trigger: wokenBy }: JobOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  let resting = new AbortController();
  const stopTelling = wokenBy?.(() => resting.abort());
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // What wakes us while we work may be something that this time has not seen.
      resting = new AbortController();
      await work(stopping.signal).catch(onError);
      await sleep(Math.min(everyMs, LEAST_REST_MS), stopping.signal);
      if (!stopping.signal.aborted) await sleep(everyMs, resting.signal);
    }
  };
  const running = loop();
  return () => {
    stopTelling?.();
    stopping.abort();
    resting.abort();
    return running;
  };
}

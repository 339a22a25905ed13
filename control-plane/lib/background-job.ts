import { sleep } from './sleep.ts';

/** Minimum interval between runs, however often they are triggered. */
const MIN_INTERVAL_MS = 500;

interface JobOptions {
  /** Interval between runs. */
  everyMs: number;
  onError: (error: unknown) => void;
  /** Subscribes to events that end the wait early; returns the unsubscribe function. */
  trigger?: (wake: () => void) => () => void;
}

/**
 * Runs a job repeatedly, also after failures. The returned function stops it; the signal given to
 * the job lets it stop in the middle.
 */
export function runEvery(
  work: (stopping: AbortSignal) => Promise<void>,
  { everyMs, onError, trigger }: JobOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  let waiting = new AbortController();
  const unsubscribe = trigger?.(() => waiting.abort());
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Created before the run: a trigger during the run may be about something that the run has
      // missed.
      waiting = new AbortController();
      await work(stopping.signal).catch(onError);
      await sleep(Math.min(everyMs, MIN_INTERVAL_MS), stopping.signal);
      if (!stopping.signal.aborted) await sleep(everyMs, waiting.signal);
    }
  };
  const running = loop();
  return () => {
    unsubscribe?.();
    stopping.abort();
    waiting.abort();
    return running;
  };
}

import { startLoop } from '#lib/loop.ts';
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after `ms`, or when the signal aborts. Does not keep the process alive. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

/** The minimum interval between runs, however often they are triggered. */
const MIN_INTERVAL_MS = 500;

interface JobOptions {
  /** The interval between runs. */
  everyMs: number;
  onError: (error: unknown) => void;
  /** Subscribes to events that end the wait early; returns the unsubscribe function. */
  trigger?: (wake: () => void) => () => void;
}

/**
 * Runs a job repeatedly, even after failures. The returned function stops it. The job receives a
 * signal so that it can stop in the middle.
 */
export function runEvery(
  work: (stopping: AbortSignal) => Promise<void>,
  { everyMs, onError, trigger }: JobOptions,
): () => Promise<void> {
  const loop = startLoop(
    async (stopping) => {
      await work(stopping).catch(onError);
      // A trigger during the run or this pause causes another run, because it may concern something
      // that the run has missed.
      await sleep(Math.min(everyMs, MIN_INTERVAL_MS), stopping);
      return everyMs;
    },
    0,
    { keepsAlive: false },
  );
  const unsubscribe = trigger?.(loop.runNow);
  return () => {
    unsubscribe?.();
    return loop.stop();
  };
}

/**
 * Repeats a short step while it returns that more work is left. Pauses in between leave the
 * database to recording most of the time.
 */
export async function repeatWithPauses(
  step: () => Promise<boolean>,
  pauseMs: number,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted && (await step())) await sleep(pauseMs, stopping);
}

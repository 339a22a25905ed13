import type { Settings } from './config.ts';
import type { Outbox } from './delivery/outbox.ts';
import type { AutomaticRun } from './recording/automatic-run.ts';
import type { Reporter } from './report.ts';

/**
 * Runs `finish` when the process is about to exit with pending work, and keeps the process alive
 * until it is done. Returns a function that removes the handler. Has no effect on runtimes without
 * `beforeExit`, or on `process.exit()` and signals.
 *
 * `finish` resolves to false if work remains. The process then exits without another attempt.
 */
export function onBeforeExit(isPending: () => boolean, finish: () => Promise<boolean>): () => void {
  const { process } = globalThis;
  if (typeof process?.on !== 'function') return () => undefined;
  let stopped = false;
  async function finishOnce(): Promise<void> {
    stopped = true;
    stopped = !(await finish());
  }
  // `beforeExit` is emitted again after each listener that scheduled work.
  const listener = (): void => {
    if (!stopped && isPending()) void finishOnce();
  };
  process.on('beforeExit', listener);
  return () => process.off('beforeExit', listener);
}

// The maximum time by which the process exit is delayed to send pending records.
const EXIT_MS = 3000;

export interface Lifetime {
  flush: (options?: { timeoutMs?: number }) => Promise<boolean>;
  shutdown: (options?: { timeoutMs?: number }) => Promise<boolean>;
}

export interface LifetimeDependencies {
  outbox: Outbox;
  settings: Settings;
  report: Reporter;
  automaticRun: AutomaticRun;
  /** Aborted when the observer ends, which aborts requests in flight. */
  ended: AbortController;
}

/** Sends pending records before the observer is shut down or the process exits. */
export function createLifetime(parts: LifetimeDependencies): Lifetime {
  const { outbox, settings, report, automaticRun, ended } = parts;

  async function flush({ timeoutMs = settings.timeoutMs } = {}): Promise<boolean> {
    automaticRun.end();
    return outbox.stats().queued === 0 || outbox.flush(timeoutMs);
  }

  async function flushOrReport(timeoutMs: number, when: string): Promise<boolean> {
    const done = await flush({ timeoutMs });
    const { queued } = outbox.stats();
    if (!done) report.problem('dropped', `${queued} records could not be sent ${when}`);
    return done;
  }

  function stop(): void {
    outbox.close();
    ended.abort();
  }

  const removeExitHandler = settings.enabled
    ? onBeforeExit(
        () => automaticRun.isOpen() || outbox.stats().queued > 0,
        async () => {
          const done = await flushOrReport(EXIT_MS, 'before the process ended');
          // Hanging requests would keep the process alive.
          if (!done) stop();
          return done;
        },
      )
    : () => undefined;

  async function end(timeoutMs: number): Promise<boolean> {
    removeExitHandler();
    const done = await flushOrReport(timeoutMs, 'before the shutdown');
    stop();
    return done;
  }

  let ending: Promise<boolean> | undefined;
  return {
    flush,
    shutdown: ({ timeoutMs = settings.timeoutMs } = {}) => (ending ??= end(timeoutMs)),
  };
}

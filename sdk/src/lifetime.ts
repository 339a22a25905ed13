import type { Settings } from './config.ts';
import type { Outbox } from './delivery/outbox.ts';
import { onBeforeExit } from './process-exit.ts';
import type { AutomaticRun } from './recording/automatic-run.ts';
import type { Reporter } from './report.ts';

// A process that is about to end waits no longer than this for the server.
const EXIT_MS = 3000;

export interface Lifetime {
  flush: (options?: { timeoutMs?: number }) => Promise<boolean>;
  shutdown: (options?: { timeoutMs?: number }) => Promise<boolean>;
}

export interface LifetimeParts {
  outbox: Outbox;
  settings: Settings;
  report: Reporter;
  automaticRun: AutomaticRun;
  /** Aborted when the observer has ended: it ends requests that are still under way. */
  ended: AbortController;
}

/** Sees to it that what was recorded is sent before the observer, or the process, ends. */
export function createLifetime(parts: LifetimeParts): Lifetime {
  const { outbox, settings, report, automaticRun, ended } = parts;

  async function flush({ timeoutMs = settings.timeoutMs } = {}): Promise<boolean> {
    automaticRun.end();
    return outbox.stats().queued === 0 || outbox.flush(timeoutMs);
  }

  async function flushOrTell(timeoutMs: number, when: string): Promise<boolean> {
    const done = await flush({ timeoutMs });
    const { queued } = outbox.stats();
    if (!done) report.problem('dropped', `${queued} records could not be sent ${when}`);
    return done;
  }

  function stop(): void {
    outbox.close();
    ended.abort();
  }

  const forgetExit = settings.enabled
    ? onBeforeExit(
        () => automaticRun.isOpen() || outbox.stats().queued > 0,
        async () => {
          const done = await flushOrTell(EXIT_MS, 'before the process ended');
          // Requests that hang would keep the process from ending.
          if (!done) stop();
          return done;
        },
      )
    : () => undefined;

  async function end(timeoutMs: number): Promise<boolean> {
    forgetExit();
    const done = await flushOrTell(timeoutMs, 'before the shutdown');
    stop();
    return done;
  }

  let ending: Promise<boolean> | undefined;
  return {
    flush,
    shutdown: ({ timeoutMs = settings.timeoutMs } = {}) => (ending ??= end(timeoutMs)),
  };
}

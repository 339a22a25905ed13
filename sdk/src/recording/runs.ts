import type { RunQueue } from '../delivery/run-queue.ts';
import { type AutomaticRun, createAutomaticRun } from './automatic-run.ts';
import type { Put } from './recorder.ts';
import { createRun, type RunParts } from './run.ts';
import type { Run, RunOptions, StartRunOptions } from './types.ts';
import { type WireRun, wireStart } from './wire.ts';

export interface Runs {
  start: (options?: StartRunOptions) => Run;
  /** Adds a record to the current run, or to the automatic one. */
  put: Put;
  automatic: AutomaticRun;
}

/** Manages the runs of an observer and assigns records to them. */
export function createRuns(parts: RunParts): Runs {
  const { outbox, settings, report, currentRun } = parts;
  const entries = new WeakMap<Run, { queue: RunQueue | undefined; put: Put }>();

  function start(options?: StartRunOptions): Run {
    const description = settings.enabled ? describe(options) : undefined;
    const queue = description && outbox.startRun(description, queueOf(options?.parent));
    const { run, put } = createRun(queue, description?.agent_name ?? '', parts);
    entries.set(run, { queue, put });
    return run;
  }

  /** The queue of the parent run; undefined selects the current run. */
  function queueOf(parent: Run | null | undefined): RunQueue | undefined {
    const run = parent === undefined ? currentRun.get() : parent;
    return run ? entries.get(run)?.queue : undefined;
  }

  /** Reading the agent's values may throw; the run is then recorded without them. */
  function describe(options: RunOptions | undefined): WireRun {
    try {
      return wireStart(
        { ...options, agentName: options?.agentName ?? settings.agentName },
        Date.now(),
      );
    } catch (error) {
      report.problem('invalid', `the options of a run could not be recorded: ${String(error)}`);
      return wireStart({ agentName: settings.agentName }, Date.now());
    }
  }

  const automatic = createAutomaticRun(settings, () =>
    start({ parent: null, metadata: { automatic: true } }),
  );

  const put: Put = (kind, item) => {
    if (!settings.enabled) return;
    const current = currentRun.get();
    if (kind === 'events' && !current) outbox.add(outbox.tenantQueue, kind, item);
    else entries.get(current ?? automatic.get())?.put(kind, item);
  };

  return { start, put, automatic };
}

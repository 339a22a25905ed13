import type { Lane } from '../delivery/lane.ts';
import { type AutomaticRun, createAutomaticRun } from './automatic-run.ts';
import type { Put } from './recorder.ts';
import { createRun, type RunParts } from './run.ts';
import type { Run, RunOptions, StartRunOptions } from './types.ts';
import { type WireRun, wireStart } from './wire.ts';

export interface Runs {
  start: (options?: StartRunOptions) => Run;
  /** Puts a record into the current run, or into the automatic one. */
  put: Put;
  automatic: AutomaticRun;
}

/** The runs of one observer: which are there, and which of them a record belongs to. */
export function createRuns(parts: RunParts): Runs {
  const { outbox, settings, report, currentRun } = parts;
  const known = new WeakMap<Run, { lane: Lane | undefined; put: Put }>();

  function start(given?: StartRunOptions): Run {
    const description = settings.enabled ? describe(given) : undefined;
    const lane = description && outbox.startRun(description, laneAbove(given?.parent));
    const { run, put } = createRun(lane, description?.agent_name ?? '', parts);
    known.set(run, { lane, put });
    return run;
  }

  function laneAbove(parent: Run | null | undefined): Lane | undefined {
    const above = parent === undefined ? currentRun.get() : parent;
    return above ? known.get(above)?.lane : undefined;
  }

  /** What an agent hands in may throw when it is looked at; the run goes on without it. */
  function describe(options: RunOptions | undefined): WireRun {
    try {
      return wireStart(
        { ...options, agentName: options?.agentName ?? settings.agentName },
        Date.now(),
      );
    } catch (error) {
      report.problem('invalid', `a run's description could not be recorded: ${String(error)}`);
      return wireStart({ agentName: settings.agentName }, Date.now());
    }
  }

  const automatic = createAutomaticRun(settings, () =>
    start({ parent: null, metadata: { automatic: true } }),
  );

  const put: Put = (kind, item) => {
    if (!settings.enabled) return;
    const current = currentRun.get();
    if (kind === 'events' && !current) outbox.add(outbox.tenantLane, kind, item);
    else known.get(current ?? automatic.get())?.put(kind, item);
  };

  return { start, put, automatic };
}

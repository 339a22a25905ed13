import type { Lane } from '../delivery/lane.ts';
import { type AutomaticRun, createAutomaticRun } from './automatic-run.ts';
import type { Put } from './recorder.ts';
import { createRun, type RunParts } from './run.ts';
import type { Run, RunOptions, StartRunOptions } from './types.ts';
import { wireStart } from './wire.ts';

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
    const { parent, ...options } = given ?? {};
    const agentName = options.agentName ?? settings.agentName;
    const above = parent === undefined ? currentRun.get() : parent;
    const lane = settings.enabled
      ? outbox.startRun(
          describe({ ...options, agentName }),
          above ? known.get(above)?.lane : undefined,
        )
      : undefined;
    const { run, put } = createRun(lane, agentName, parts);
    known.set(run, { lane, put });
    return run;
  }

  /** What an agent hands in may throw when it is looked at; the run goes on without it. */
  function describe(options: RunOptions): object {
    try {
      return wireStart(options, Date.now());
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

import type { RunQueue } from '../delivery/run-queue.ts';
import { type AutomaticRun, createAutomaticRun } from './automatic-run.ts';
import { maskContent } from './mask.ts';
import type { Enqueue } from './recorder.ts';
import { newTraceId, readTraceparent } from '../trace-context.ts';
import { isThenable } from './call-in-span.ts';
import { createRun, type RunDependencies } from './run.ts';
import type { Run, StartRunOptions } from './types.ts';
import { type WireRun, wireStart } from './wire.ts';
import { id } from './within-limits.ts';

export interface Runs {
  start: (options?: StartRunOptions) => Run;
  /** Adds a record to the current run, or to the automatic one. */
  enqueue: Enqueue;
  /** Creates a span of the current run, or of a new run. */
  span: Run['span'];
  automatic: AutomaticRun;
}

/** Manages the runs of an observer and assigns records to them. */
export function createRuns(parts: RunDependencies): Runs {
  const { outbox, settings, report, currentRun } = parts;
  const entries = new WeakMap<Run, { queue: RunQueue | undefined; put: Enqueue }>();

  function start(options?: StartRunOptions): Run {
    const parent = options?.parent === undefined ? currentRun.get() : options.parent;
    const description = describe(options, parent);
    const agentName = description.agent_name;
    const traceId = description.trace_id ?? '';
    const above = parent ? entries.get(parent)?.queue : undefined;
    const queue = isRecorded(parent) ? outbox.startRun(description, above) : undefined;
    const { run, enqueue } = createRun(queue, { agentName, traceId }, parts);
    entries.set(run, { queue, put: enqueue });
    return run;
  }

  /** Whether a run is recorded. A child run is recorded if its parent is. */
  function isRecorded(parent: Run | null | undefined): boolean {
    if (!settings.enabled) return false;
    const known = parent ? entries.get(parent) : undefined;
    return known ? known.queue !== undefined : Math.random() < settings.sampleRate;
  }

  /**
   * Describes the run. Reading the agent's values may throw; the run is then recorded without them.
   */
  function describe(options: StartRunOptions | undefined, parent: Run | null | undefined): WireRun {
    const { agentName, mask } = settings;
    try {
      const inTrace = contextOf(options, parent);
      const run = { ...options, agentName: options?.agentName ?? agentName, ...inTrace };
      return maskContent(mask, wireStart(run, Date.now()));
    } catch (error) {
      report.problem('invalid', `the options of a run could not be recorded: ${String(error)}`);
      return wireStart({ agentName, ...contextOf(undefined, parent) }, Date.now());
    }
  }

  /**
   * The trace of a run and the span that started it, which belong to its parent run or to another
   * service.
   */
  function contextOf(
    options: StartRunOptions | undefined,
    parent: Run | null | undefined,
  ): { traceId: string; parentSpanId?: string } {
    const remote = readTraceparent(options?.traceparent);
    const parentSpanId = parent ? parent.currentSpanId : remote?.parentSpanId;
    return {
      traceId: id(options?.traceId) || remote?.traceId || parent?.traceId || newTraceId(),
      ...(parentSpanId && { parentSpanId }),
    };
  }

  const automatic = createAutomaticRun(settings, () =>
    start({ parent: null, metadata: { automatic: true } }),
  );

  const enqueue: Enqueue = (kind, item) => {
    if (!settings.enabled) return;
    const current = currentRun.get();
    if (kind === 'events' && !current) outbox.add(outbox.tenantQueue, kind, item);
    else entries.get(current ?? automatic.get())?.put(kind, item);
  };

  const span: Run['span'] = (name, work, options) =>
    (currentRun.get()?.span ?? spanOfOwnRun)(name, work, options);

  /** Starts a run for the span, because the span may last longer than the automatic run. */
  function spanOfOwnRun<T>(...[name, work, options]: Parameters<typeof span<T>>): T {
    const run = start({ parent: null, metadata: { automatic: true } });
    const fail = (error: unknown): never => {
      run.fail(error);
      throw error;
    };
    const complete = <R>(value: R): R => {
      run.complete();
      return value;
    };
    let value: T;
    try {
      value = run.span(name, work, options);
    } catch (error) {
      return fail(error);
    }
    return isThenable(value) ? (Promise.resolve(value).then(complete, fail) as T) : complete(value);
  }

  return { start, enqueue, span, automatic };
}

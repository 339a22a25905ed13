import type { Settings } from '../config.ts';
import type { CurrentRun } from '../current-run.ts';
import type { RunQueue } from '../delivery/run-queue.ts';
import type { Outbox } from '../delivery/outbox.ts';
import type { Reporter } from '../report.ts';
import { newSpanId, traceparentOf } from '../trace-context.ts';
import { callInSpan } from './call-in-span.ts';
import { maskContent } from './mask.ts';
import { createRecorder, type Enqueue } from './recorder.ts';
import type { Outcome, Run } from './types.ts';
import { wireEnd } from './wire.ts';

export interface RunDependencies {
  outbox: Outbox;
  settings: Settings;
  report: Reporter;
  currentRun: CurrentRun;
}

/** Creates a run. Without a queue, the run is not recorded, but its interface stays the same. */
export function createRun(
  queue: RunQueue | undefined,
  { agentName, traceId }: { agentName: string; traceId: string },
  parts: RunDependencies,
): { run: Run; enqueue: Enqueue } {
  const { outbox, settings, report, currentRun } = parts;
  const started = deferred<string>();
  const completed = deferred<unknown>();
  if (queue) {
    queue.onStarted = started.resolve;
    queue.onCompleted = completed.resolve;
  } else {
    started.resolve('');
    completed.resolve(undefined);
  }
  let ended = false;

  function end(outcome: { result: unknown } | { error: unknown }): void {
    if (ended || !queue) return;
    ended = true;
    try {
      outbox.complete(queue, maskContent(settings.mask, wireEnd(outcome, Date.now())));
    } catch (error) {
      report.problem('invalid', `a result could not be recorded: ${String(error)}`);
      outbox.complete(queue, { status: 'result' in outcome ? 'success' : 'error' });
    }
  }

  let spans = 0;
  const enqueue: Enqueue = (kind, item) => {
    if (!queue) return;
    // The position is explicit, because retried and split batches may arrive in another order.
    if (kind === 'spans') item = { ...item, position: item.position ?? spans++ };
    if (kind === 'events') item = { agent_name: agentName, ...item };
    if (kind === 'calls' || kind === 'spans' || kind === 'steps') item = withTracePosition(item);
    outbox.add(queue, kind, item);
  };

  /** Adds defaults: the current span as the parent, and now minus the duration as the start. */
  function withTracePosition(
    item: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> {
    const { parent_span_id = currentRun.spanIn(run), duration_ms = 0 } = item;
    const started_at =
      item.started_at ?? new Date(Date.now() - (duration_ms as number)).toISOString();
    return { ...item, parent_span_id, started_at };
  }

  const span: Run['span'] = (name, work, options) =>
    callInSpan({ name, work, options }, { run, traceId, currentRun, nextPosition: () => spans++ });
  const rootSpanId = newSpanId();

  const run: Run = {
    ...createRecorder(enqueue, span, settings, report),
    get id() {
      return queue?.runId ?? '';
    },
    get url() {
      return queue?.runId ? `${settings.baseUrl}/runs/${queue.runId}` : '';
    },
    traceId,
    get currentSpanId() {
      return currentRun.spanIn(run);
    },
    get traceparent() {
      return traceparentOf(traceId, currentRun.spanIn(run) ?? rootSpanId);
    },
    ready: ({ timeoutMs = settings.timeoutMs } = {}) => withTimeout(timeoutMs, started.promise, ''),
    within: (work) => currentRun.within(run, work, currentRun.spanIn(run)),
    complete: (result) => end({ result }),
    fail: (error) => end({ error }),
    outcome: async ({ timeoutMs = settings.timeoutMs } = {}) =>
      outcomeOf(await withTimeout(timeoutMs, completed.promise, undefined)),
  };
  return { run, enqueue };
}

function outcomeOf(response: unknown): Outcome | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  const { governance_action, should_retry, retry_feedback, max_retries } = response as Record<
    string,
    unknown
  >;
  return {
    governanceAction: typeof governance_action === 'string' ? governance_action : 'allow',
    shouldRetry: should_retry === true,
    retryFeedback: typeof retry_feedback === 'string' ? retry_feedback : null,
    maxRetries: typeof max_retries === 'number' ? max_retries : 0,
  };
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}

/** Resolves to the value of the promise, or to `fallback` after the timeout. */
async function withTimeout<T>(timeoutMs: number, promise: Promise<T>, fallback: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(fallback), timeoutMs);
  });
  const first = await Promise.race([promise, timeout]);
  clearTimeout(timer);
  return first;
}

import type { Settings } from '../config.ts';
import type { CurrentRun } from '../current-run.ts';
import type { Lane } from '../delivery/lane.ts';
import type { Outbox } from '../delivery/outbox.ts';
import type { Reporter } from '../report.ts';
import { createRecorder, type Put } from './recorder.ts';
import type { Outcome, Run } from './types.ts';
import { wireEnd } from './wire.ts';

export interface RunParts {
  outbox: Outbox;
  settings: Settings;
  report: Reporter;
  currentRun: CurrentRun;
}

/** Without a lane the run goes unrecorded, and the agent sees no difference. */
export function createRun(
  lane: Lane | undefined,
  agentName: string,
  parts: RunParts,
): { run: Run; put: Put } {
  const { outbox, settings, report, currentRun } = parts;
  const started = settling<string>();
  const completed = settling<unknown>();
  if (lane) {
    lane.onStarted = started.settle;
    lane.onCompleted = completed.settle;
  } else {
    started.settle('');
    completed.settle(undefined);
  }
  let ended = false;

  function end(how: { result: unknown } | { error: unknown }): void {
    if (ended || !lane) return;
    ended = true;
    try {
      outbox.complete(lane, wireEnd(how, Date.now()));
    } catch (error) {
      report.problem('invalid', `a result could not be recorded: ${String(error)}`);
      outbox.complete(lane, { status: 'result' in how ? 'success' : 'error' });
    }
  }

  let spans = 0;
  const put: Put = (kind, item) => {
    if (!lane) return;
    // Requests may be tried again and halved: the order must not depend on how they arrive.
    if (kind === 'spans') item = { ...item, position: item.position ?? spans++ };
    if (kind === 'events') item = { agent_name: agentName, ...item };
    outbox.add(lane, kind, item);
  };

  const run: Run = {
    ...createRecorder(put, settings, report),
    get id() {
      return lane?.runId ?? '';
    },
    ready: ({ timeoutMs = settings.timeoutMs } = {}) => within(timeoutMs, started.promise, ''),
    within: (work) => currentRun.within(run, work),
    complete: (result) => end({ result }),
    fail: (error) => end({ error }),
    outcome: async ({ timeoutMs = settings.timeoutMs } = {}) =>
      outcomeOf(await within(timeoutMs, completed.promise, undefined)),
  };
  return { run, put };
}

function outcomeOf(answer: unknown): Outcome | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { governance_action, should_retry, retry_feedback, max_retries } = answer as Record<
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

function settling<T>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** What the promise resolves to, or something else if it takes longer than that. */
async function within<T>(timeoutMs: number, promise: Promise<T>, instead: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(instead), timeoutMs);
  });
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  return first;
}

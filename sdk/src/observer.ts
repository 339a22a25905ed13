import { environment, type Options, readSettings } from './config.ts';
import { createCurrentRun } from './current-run.ts';
import { createOutbox } from './delivery/outbox.ts';
import { createSend } from './delivery/request.ts';
import { createLifetime } from './lifetime.ts';
import { createObserve } from './observe.ts';
import type { Observe } from './observe-options.ts';
import { storeObserveDependencies } from './observe-parts.ts';
import { createCheckPolicy } from './policy.ts';
import { type CheckPolicy, policyResult } from './policy-result.ts';
import type { GetPrompt } from './prompt.ts';
import { createFetchPrompt, createGetPrompt, noPrompts } from './prompts.ts';
import { createRecorder } from './recording/recorder.ts';
import { createRuns } from './recording/runs.ts';
import type { Recorder, Run, StartRunOptions, Stats } from './recording/types.ts';
import { createReporter } from './report.ts';

/** Records outside any run go to an automatic run, which ends with the next flush. */
export interface Observer extends Recorder {
  /** False if the SDK is disabled or not configured: nothing is sent, and every check passes. */
  readonly enabled: boolean;
  observe: Observe;
  startRun: (options?: StartRunOptions) => Run;
  currentRun: () => Run | undefined;
  checkPolicy: CheckPolicy;
  getPrompt: GetPrompt;
  /** Sends all queued records. Resolves to false on timeout. */
  flush: (options?: { timeoutMs?: number }) => Promise<boolean>;
  /** Flushes and stops recording. Resolves to false if records were dropped. */
  shutdown: (options?: { timeoutMs?: number }) => Promise<boolean>;
  stats: () => Stats;
}

/**
 * Creates an observer with its own settings and queue. Most programs have one, created by `init`.
 */
export function createObserver(options: Options = {}, env = environment()): Observer {
  const settings = readSettings(options, env);
  const report = createReporter(settings);
  if (settings.error) report.problem('unconfigured', `nothing is recorded: ${settings.error}`);
  const ended = new AbortController();
  const send = createSend(settings, ended.signal);
  const outbox = createOutbox(settings, send, report);
  const currentRun = createCurrentRun();
  const runs = createRuns({ outbox, settings, report, currentRun });
  const lifetime = createLifetime({
    outbox,
    settings,
    report,
    automaticRun: runs.automatic,
    ended,
  });

  const checkPolicy: CheckPolicy = settings.enabled
    ? createCheckPolicy(send, report, settings.timeoutMs)
    : () => Promise.resolve(policyResult('allow', 'observation is disabled'));
  const fetchPrompt = settings.enabled
    ? createFetchPrompt(send, settings)
    : noPrompts(settings.error ?? 'observation is disabled');
  const parts = { settings, report, startRun: runs.start, checkPolicy };
  const observer: Observer = {
    ...createRecorder(runs.enqueue, runs.span, settings, report),
    ...lifetime,
    enabled: settings.enabled,
    observe: createObserve(() => parts),
    startRun: runs.start,
    currentRun: currentRun.get,
    checkPolicy,
    getPrompt: createGetPrompt(fetchPrompt),
    stats: outbox.stats,
  };
  storeObserveDependencies(observer, parts);
  return observer;
}

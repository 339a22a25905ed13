import { type BackoffLimits, backoffMs } from '#agent/core/backoff.ts';
import {
  type ActivationProgress,
  type ExtensionsTask,
  extensionsWaiting,
  nextTasks,
  problemsInOutput,
  problemsInStatus,
} from '#agent/core/network-extensions/next-tasks.ts';
import type { ToolEvent } from '#agent/core/network-extensions/tool-output.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';
import { runExtensionsTool } from './run-extensions-tool.ts';

const PART = 'network extensions';

export interface ExtensionsOptions {
  /** The path of `gatehouse-extensions` in the app; null: this computer has no extensions. */
  program: string | null;
  /** Whether any host is captured or blocked. */
  needsProxy: () => boolean;
  problems: Pick<Problems, 'set'>;
  backoff?: BackoffLimits | undefined;
  limits?: Partial<ExtensionsLimits> | undefined;
}

/** Times in ms. */
export interface ExtensionsLimits {
  /** The longest time for `status`. */
  status: number;
  /** The longest time for other tasks, about which macOS may ask the user. */
  task: number;
  /** The interval at which a proxy that has ended is noticed. */
  recheck: number;
  /** The pause after a user did not allow a configuration, before macOS asks again. */
  refused: number;
}

const MINUTE = 60_000;
const defaultLimits: ExtensionsLimits = {
  status: MINUTE / 2,
  task: 5 * MINUTE,
  recheck: 10 * MINUTE,
  refused: 60 * MINUTE,
};
const defaultBackoff: BackoffLimits = { firstMs: 5_000, maxMs: MINUTE };

export interface NetworkExtensions {
  /** The configuration has changed. */
  update: () => void;
  stop: () => Promise<void>;
}

/** How a task, or a pass over the tasks, ended. */
type Outcome = 'in place' | 'retry' | 'refused';

interface Pass {
  outcome: Outcome;
  /** The problems. */
  lines: string[];
}

/**
 * Has the app's program activate the network extensions, configure the content filter, and start
 * the transparent proxy while any host is captured or blocked. What does not work becomes a problem,
 * and is tried again.
 */
export function manageExtensions(options: ExtensionsOptions): NetworkExtensions {
  const { program, needsProxy, problems } = options;
  if (program === null) return { update: () => {}, stop: async () => {} };
  const limits = { ...defaultLimits, ...options.limits };
  const runPass = createPasses(program, needsProxy, limits);
  let failures = 0;

  const loop = startLoop(async (signal) => {
    const { outcome, lines } = await runPass(signal);
    if (signal.aborted) return null;
    problems.set(PART, lines);
    if (outcome === 'refused') return limits.refused;
    if (outcome === 'retry')
      return backoffMs(failures++, Math.random(), options.backoff ?? defaultBackoff);
    failures = 0;
    return limits.recheck;
  });

  let neededProxy = needsProxy();
  return {
    update() {
      if (needsProxy() === neededProxy) return;
      neededProxy = !neededProxy;
      loop.runNow();
    },
    stop: loop.stop,
  };
}

/** Returns a function that brings the extensions closer to what is needed, as far as it can. */
function createPasses(
  program: string,
  needsProxy: () => boolean,
  limits: ExtensionsLimits,
): (signal: AbortSignal) => Promise<Pass> {
  const progress: ActivationProgress = {
    isActivated: false,
    isAwaitingApproval: false,
    proxy: null,
  };
  let approvalLines: string[] = [];

  async function perform(task: ExtensionsTask, signal: AbortSignal): Promise<Pass> {
    const result = await runExtensionsTool(program, task, limits.task, signal);
    if (result.kind === 'too late') return { outcome: 'refused', lines: [result.reason] };
    if (result.kind === 'failed') return { outcome: 'retry', lines: [result.reason] };
    const { ok, events } = result;
    const lines = problemsInOutput(events);
    if (task === 'activate') {
      progress.isActivated = ok;
      progress.isAwaitingApproval = extensionsWaiting(events).length > 0;
      approvalLines = lines;
    } else if (ok) progress.proxy = task === 'start-proxy' ? 'started' : 'stopped';
    if (ok) return { outcome: 'in place', lines };
    if (lines.length === 0) lines.push(`gatehouse-extensions ${task} did not succeed`);
    return { outcome: isConfigurationRefused(events) ? 'refused' : 'retry', lines };
  }

  return async (signal) => {
    const status = await runExtensionsTool(program, 'status', limits.status, signal);
    if (status.kind !== 'answered') return { outcome: 'retry', lines: [status.reason] };
    const facts = { status: status.events, needsProxy: needsProxy(), progress };
    const lines = problemsInStatus(facts);
    const tasks = nextTasks(facts);
    if (tasks.length === 0 && !progress.isActivated)
      return { outcome: 'retry', lines: approvalLines };
    let outcome: Outcome = 'in place';
    for (const task of tasks) {
      const performed = await perform(task, signal);
      lines.push(...performed.lines);
      if (performed.outcome !== 'in place') ({ outcome } = performed);
      // The proxy works without the filter, but not without its extension.
      if (outcome === 'retry') break;
    }
    return { outcome, lines };
  };
}

const isConfigurationRefused = (events: readonly ToolEvent[]): boolean =>
  events.some((one) => one.event === 'failed' && (one.of === 'filter' || one.of === 'proxy'));

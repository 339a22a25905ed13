import type { ToolEvent } from './tool-output.ts';

/** What this process has done so far. */
export interface ActivationProgress {
  /** The extensions are active and the content filter is configured. */
  isActivated: boolean;
  /** Activation was requested, and a person has to allow it. */
  isAwaitingApproval: boolean;
  /** The last task for the proxy that succeeded. */
  proxy: 'started' | 'stopped' | null;
}

export interface ActivationFacts {
  /** The output of `status`. */
  status: readonly ToolEvent[];
  /** Whether any host is captured or blocked. */
  needsProxy: boolean;
  progress: ActivationProgress;
}

export type ExtensionsTask = 'activate' | 'start-proxy' | 'stop-proxy';

/**
 * Returns the tasks that `gatehouse-extensions` should now perform, in their order. Activation is
 * requested once after each start, even of active extensions: that replaces those of an earlier
 * version, and "if the extension is already active, the request succeeds in short order, without …
 * user interaction"
 * (developer.apple.com/documentation/systemextensions/ossystemextensionrequest/activationrequest(forextensionwithidentifier:queue:)).
 * While a person has to allow it, it is not requested again, because macOS might ask again.
 */
export function nextTasks(facts: ActivationFacts): ExtensionsTask[] {
  const { status, progress } = facts;
  const task = proxyTask(facts);
  const proxyTasks = task === null ? [] : [task];
  if (progress.isActivated) return proxyTasks;
  const waits = progress.isAwaitingApproval && !areActive(status);
  return waits ? [] : ['activate', ...proxyTasks];
}

function areActive(status: readonly ToolEvent[]): boolean {
  const states = status.flatMap((one) => ('state' in one ? [one.state] : []));
  return states.length > 0 && states.every((state) => state === 'active');
}

function proxyTask({ status, needsProxy, progress }: ActivationFacts): ExtensionsTask | null {
  const proxy = configurationOf(status, 'proxy');
  const isRunning = proxy?.running ?? false;
  if (!needsProxy) return isRunning ? 'stop-proxy' : null;
  if (isRunning && progress.proxy === 'started') return null;
  // A proxy that someone has switched off or removed since stays so until the agent starts again.
  if (progress.proxy === 'started' && proxy?.enabled !== true) return null;
  return 'start-proxy';
}

/** The bundle ids of extensions that a person has to allow, by the output of `activate`. */
export const extensionsWaiting = (events: readonly ToolEvent[]): string[] =>
  events.flatMap((one) => (one.event === 'needs_approval' ? [one.extension] : []));

const configurationOf = (events: readonly ToolEvent[], name: 'filter' | 'proxy') =>
  events
    .filter((one) => one.event === 'status' && 'present' in one)
    .find(({ configuration }) => configuration === name);

const titles = { filter: 'content filter', proxy: 'transparent proxy' } as const;

/** Returns the problems that the output of a task describes, one line each. */
export function problemsInOutput(events: readonly ToolEvent[]): string[] {
  const waiting = extensionsWaiting(events).map(
    (id) =>
      `${id} waits for permission: device management grants it with the profile, or a user in System Settings`,
  );
  const others = events.flatMap((one) => {
    if (one.event === 'failed') return [`${one.of}: ${one.problem} (${one.code})`];
    if (one.event === 'activated' && one.needs_restart)
      return [`${one.extension} becomes active when this Mac restarts`];
    return [];
  });
  return [...waiting, ...others];
}

/** Returns the configurations that were switched off or removed after this process set them up. */
export function problemsInStatus({ status, needsProxy, progress }: ActivationFacts): string[] {
  const expected = [
    ...(progress.isActivated ? (['filter'] as const) : []),
    ...(needsProxy && progress.proxy === 'started' ? (['proxy'] as const) : []),
  ];
  return expected.flatMap((name) => {
    const found = configurationOf(status, name);
    return found && !(found.present && found.enabled)
      ? [`the ${titles[name]} was switched off or removed in System Settings`]
      : [];
  });
}

import { z } from 'zod';
import { capturedSince } from '#agent/core/capture/pause.ts';
import { capturePause } from '#contract/capture-pauses.ts';
import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { type Capture, startCapture } from './capture/capture.ts';
import { createPauses, type Pauses } from './capture/pauses.ts';
import { manageCodingAgents } from './coding-agents/manage-coding-agents.ts';
import { type ControlPlaneLink, createControlPlaneLink } from './control-plane-link.ts';
import { buildStatus } from './build-status.ts';
import { type Device, openDevice } from './device.ts';
import { agentVersion } from './device-facts.ts';
import {
  limitProblems,
  resolvedByHeartbeat,
  gapFields,
  type HeartbeatBody,
  pauseFields,
  refusalFields,
  startHeartbeat,
  reportedGaps,
} from './heartbeat.ts';
import type { Log } from './log.ts';
import { createProblems, type Problems } from './problems.ts';
import { type Reports, startReports } from './reports.ts';
import { openSentToday } from './sent-today.ts';
import { buildReport, startStatusSocket } from './status-socket.ts';
import { createSignal } from './signal.ts';
import { stateEntries } from './state-folder.ts';
import { startSystemTrustSync } from './system-trust/system-trust-sync.ts';
import { startToolChecks } from './tool-checks/start-tool-checks.ts';

export interface ChangeNotifier<T> {
  /** Schedules one notification of the listeners, however often this is called. */
  changed: () => void;
  /** Calls back with the value after each change, until the returned function is called. */
  subscribe: (listener: (value: T) => void) => () => void;
}

export function createChangeNotifier<T>(read: () => T): ChangeNotifier<T> {
  const listeners = new Set<(value: T) => void>();
  let pending = false;
  const notify = (): void => {
    pending = false;
    const value = read();
    for (const listener of listeners) listener(value);
  };
  return {
    changed: () => {
      if (pending || listeners.size === 0) return;
      pending = true;
      setImmediate(notify);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * Creates the parts of the agent, each from the parts before it:
 *
 *     device (state folder) -> link (identity, configuration) -> pauses -> capture -> reports -> heartbeat
 *     -> status
 *
 * Later events in one part reach the others as signals.
 */
export async function createAgent(options: AgentOptions, log: Log): Promise<AgentRuntime> {
  const startedAt = Date.now();
  const changes = createSignal();
  const changed = changes.emit;
  const problems = createProblems(log, changed);

  const device = await openDevice(options, problems);
  const sentToday = openSentToday(device.file(stateEntries.sentToday));
  const link = createControlPlaneLink({
    options,
    device,
    log,
    problems,
    changed,
    onSent: (bytes) => sentToday.add('bytes', bytes),
  });
  const pauses = createPauses({
    state: device.state,
    config: link.configuration.effective,
    user: device.facts.user,
  });
  link.applied.subscribe((version) => {
    pauses.check();
    storeCapturedSince(device, link);
    log.debug(`configuration ${version} is in force`);
    problems.set('state');
    changed();
  });
  link.connectionChanged.subscribe(changed);
  const onUploaded = (captures: number): void => {
    sentToday.add('captures', captures);
    changed();
  };
  const capture = startCapture({ options, device, link, log, problems, pauses, onUploaded });
  const trustSync = startSystemTrustSync({ options, device, link, problems });
  const codingAgents = manageCodingAgents({ options, device, link, problems, pauses });
  const toolChecks = await startToolChecks({ options, device, link, log, problems, codingAgents });
  const onResolved = capture.addResolved;
  const reports = startReports({
    options,
    device,
    link,
    log,
    problems,
    onResolved,
    changed,
    onSent: sentToday.add,
  });

  let wantedVersion: number | null = null;
  const heartbeat = startHeartbeat({
    intervalMs: options.heartbeatSeconds * 1000,
    connection: link.connection,
    body: () => buildHeartbeat({ device, link, reports, capture, pauses, problems }),
    onSent: (body) => acknowledge(body, device, pauses),
    beforeSend: link.beforeHeartbeat,
    onVersion: (version) => {
      wantedVersion = version;
      return link.configuration.sync(version);
    },
  });
  link.connectionChanged.subscribe(heartbeat.runNow);

  pauses.changed.subscribe(() => {
    log.info(pauses.until() === null ? 'capture: no longer paused' : 'capture: paused by the user');
    heartbeat.runNow();
    changed();
  });

  const status = () =>
    buildStatus({
      device,
      link,
      reports,
      problems,
      capture,
      pauses,
      sent: sentToday,
      codingAgents,
      toolHooks: toolChecks.hooks,
    });
  const notifier = createChangeNotifier(status);
  changes.subscribe(notifier.changed);

  const socket = await startStatusSocket({
    path: device.file(stateEntries.statusSocket),
    read: () =>
      buildReport({ options, status: status(), link, capture, reports, wantedVersion, startedAt }),
    onProblem: (line) => log.warn(`status socket: ${line}`),
  });

  link.start();
  return {
    status,
    onStatus: notifier.subscribe,
    exchange: (id) => capture.sent.list().find((one) => one.id === id) ?? null,
    pause: pauses.start,
    resume: pauses.resume,
    stop: async () => {
      pauses.stop();
      socket.close();
      await link.stop();
      const parts = [heartbeat, reports, capture, trustSync, codingAgents, toolChecks];
      await Promise.all(parts.map((part) => part.stop()));
      link.connection.close();
      sentToday.stop();
    },
  };
}

interface HeartbeatSources {
  device: Device;
  link: ControlPlaneLink;
  reports: Reports;
  capture: Capture;
  pauses: Pauses;
  problems: Problems;
}

/** The current heartbeat of this device. */
function buildHeartbeat({
  device,
  link,
  reports,
  capture,
  pauses,
  problems,
}: HeartbeatSources): HeartbeatBody {
  const effectiveConfig = link.configuration.effective();
  const { dropped, not_observed } = device.state.read();
  return {
    agent_version: agentVersion,
    applied_version: effectiveConfig?.version ?? 0,
    queued: reports.queued() + capture.queued(),
    dropped,
    problems: limitProblems(problems.list(resolvedByHeartbeat)),
    ...refusalFields(effectiveConfig, capture.refusals()),
    ...gapFields(not_observed),
    ...pauseFields(effectiveConfig, pauses.unreported()),
  };
}

/** The control plane has this heartbeat: what it reported is not sent again. */
function acknowledge(body: HeartbeatBody, device: Device, pauses: Pauses): void {
  device.state.removeReportedGaps(reportedGaps(body));
  pauses.acknowledge(z.array(capturePause).parse(body.pauses ?? []));
}

/** Since when each host is captured, as the window shows. */
function storeCapturedSince({ state }: Device, { configuration }: ControlPlaneLink): void {
  const effectiveConfig = configuration.effective();
  if (!effectiveConfig) return;
  const before = state.read().captured_since;
  const captured_since = capturedSince(before, effectiveConfig, Date.now());
  if (JSON.stringify(before) !== JSON.stringify(captured_since)) state.update({ captured_since });
}

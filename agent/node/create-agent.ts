import { z } from 'zod';
import { hostsToDivert } from '#agent/core/capture/connection-decision.ts';
import { capturedSince } from '#agent/core/capture/pause.ts';
import type { CountKind } from '#agent/core/sent-today.ts';
import { capturePause } from '#contract/capture-pauses.ts';
import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { type Capture, startCapture } from './capture/capture.ts';
import { createPauses, type Pauses } from './capture/pauses.ts';
import { openLedgers } from './coding-agents/ledger.ts';
import { manageCodingAgents } from './coding-agents/manage-coding-agents.ts';
import { type ControlPlaneLink, createControlPlaneLink } from './link/control-plane-link.ts';
import { buildStatus } from './status/build-status.ts';
import { type Device, openDevice } from './identity/device.ts';
import { agentVersion } from './identity/device-facts.ts';
import {
  limitProblems,
  resolvedByHeartbeat,
  gapFields,
  type HeartbeatBody,
  pauseFields,
  refusalFields,
  startHeartbeat,
  reportedGaps,
} from './link/heartbeat.ts';
import { hasIdentity } from './identity/enrollment-loop.ts';
import { manageExtensions, type NetworkExtensions } from './extensions/manage-extensions.ts';
import { catalogHosts } from './flows/host-names.ts';
import type { Log } from './log.ts';
import { createProblems, type Problems } from './status/problems.ts';
import { type Reports, startReports } from './reports/reports.ts';
import { openSentToday } from './status/sent-today.ts';
import { buildReport, startStatusSocket } from './status/status-socket.ts';
import { createSignal } from './signal.ts';
import { stateEntries } from './state/state-folder.ts';
import { startSystemTrustSync } from './system-trust/system-trust-sync.ts';
import { startToolChecks } from './tool-checks/start-tool-checks.ts';

export interface ChangeNotifier<T> {
  /** Schedules one notification of the listeners, regardless of the number of calls. */
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

/** The values that every part of the agent receives. */
interface AgentBase {
  options: AgentOptions;
  log: Log;
  problems: Problems;
  device: Device;
  /** Notifies the status page that something changed. */
  changed: () => void;
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
  const device = await openDevice(options, log, problems, changed);
  const base = { options, log, problems, device, changed };

  const parts = await startParts(base);
  const { link, capture, pauses, reports } = parts;
  const heartbeat = startAgentHeartbeat(base, parts);

  const status = () => statusOf(base, parts);
  const notifier = createChangeNotifier(status);
  changes.subscribe(notifier.changed);
  const socket = await startStatusSocket({
    path: device.file(stateEntries.statusSocket),
    read: () => {
      const wantedVersion = heartbeat.wantedVersion();
      return buildReport({
        options,
        status: status(),
        device,
        link,
        capture,
        reports,
        wantedVersion,
        startedAt,
      });
    },
    onProblem: (line) => log.warn(`status socket: ${line}`),
  });

  link.start();
  device.keyBinding.start();
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
      const { extensions, trustSync, codingAgents, toolChecks } = parts;
      const { keyBinding } = device;
      const stopping = [
        heartbeat,
        reports,
        capture,
        extensions,
        trustSync,
        codingAgents,
        toolChecks,
        keyBinding,
      ];
      await Promise.all(stopping.map((part) => part.stop()));
      link.connection.close();
      parts.sentToday.stop();
    },
  };
}

type AgentParts = Awaited<ReturnType<typeof startParts>>;

/** Starts all parts between the device and its heartbeat. */
async function startParts(base: AgentBase) {
  const { device, changed } = base;
  const sentToday = openSentToday(device.file(stateEntries.sentToday));
  const link = createControlPlaneLink({
    ...base,
    onSent: (bytes) => sentToday.add('bytes', bytes),
  });
  link.connectionChanged.subscribe(changed);
  const pauses = startPauses(base, link);
  const onSent = (kind: CountKind, amount: number): void => {
    sentToday.add(kind, amount);
    changed();
  };
  const onRelayed = (bytes: number): void => {
    onSent('telemetry', 1);
    onSent('bytes', bytes);
  };
  const onUploaded = (captures: number): void => onSent('captures', captures);
  const trustSync = startSystemTrustSync({ ...base, link });
  const isTrusted = trustSync.isSettled;
  const capture = startCapture({ ...base, link, pauses, isTrusted, onUploaded });
  const extensions = manageExtensionsOf(base, link);
  const ledgers = openLedgers(device.file);
  const codingAgents = manageCodingAgents({ ...base, ledgers, link, pauses, onRelayed });
  const toolChecks = await startToolChecks({ ...base, ledgers, link, codingAgents, onSent });
  const reports = startReports({
    ...base,
    link,
    onResolved: capture.addResolved,
    named: capture.named,
    onSent: sentToday.add,
  });
  return {
    sentToday,
    link,
    pauses,
    capture,
    extensions,
    trustSync,
    codingAgents,
    toolChecks,
    reports,
  };
}

/**
 * Keeps the network extensions as the configuration needs them. A pause does not stop the proxy: it
 * diverts nothing then, and other users of this computer may not have paused.
 */
function manageExtensionsOf(
  { options, device, problems }: AgentBase,
  link: ControlPlaneLink,
): NetworkExtensions {
  const needsProxy = (): boolean => {
    const config = link.configuration.effective();
    if (config === null || !hasIdentity(device.credentials)) return false;
    return hostsToDivert(config, catalogHosts()).length > 0;
  };
  const extensions = manageExtensions({
    program: options.extensionsProgram,
    needsProxy,
    problems,
    backoff: options.backoff,
    limits: options.extensionsLimits,
  });
  link.applied.subscribe(extensions.update);
  link.connectionChanged.subscribe(extensions.update);
  return extensions;
}

/**
 * Creates the pauses of the user at the device, which end when a new configuration forbids them.
 */
function startPauses(
  { device, log, problems, changed }: AgentBase,
  link: ControlPlaneLink,
): Pauses {
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
  return pauses;
}

/** Starts the heartbeat, which is also sent when the connection or a pause changes. */
function startAgentHeartbeat(base: AgentBase, { link, reports, capture, pauses }: AgentParts) {
  const { options, device, log, problems, changed } = base;
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
  /** `wantedVersion` returns the latest version that the control plane named. */
  return { stop: heartbeat.stop, wantedVersion: () => wantedVersion };
}

const statusOf = (
  { device, problems }: AgentBase,
  { link, reports, capture, pauses, sentToday, codingAgents, toolChecks }: AgentParts,
) =>
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

interface HeartbeatSources {
  device: Device;
  link: ControlPlaneLink;
  reports: Reports;
  capture: Capture;
  pauses: Pauses;
  problems: Problems;
}

/** Builds the current heartbeat of this device. */
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

/**
 * Removes the gaps and pauses in a heartbeat that the control plane has received, so that they are
 * not sent again.
 */
function acknowledge(body: HeartbeatBody, device: Device, pauses: Pauses): void {
  device.state.removeReportedGaps(reportedGaps(body));
  pauses.acknowledge(z.array(capturePause).parse(body.pauses ?? []));
}

/** Stores the time since which each host is captured, for the window. */
function storeCapturedSince({ state }: Device, { configuration }: ControlPlaneLink): void {
  const effectiveConfig = configuration.effective();
  if (!effectiveConfig) return;
  const before = state.read().captured_since;
  const captured_since = capturedSince(before, effectiveConfig, Date.now());
  if (JSON.stringify(before) !== JSON.stringify(captured_since))
    state.tryUpdate({ captured_since });
}

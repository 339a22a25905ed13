import { z } from 'zod';
import { capturedSince } from '#agent/core/captured-since.ts';
import { capturePause } from '#contract/capture-pauses.ts';
import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { createAnnouncer } from './announcer.ts';
import { type Capture, startCapture } from './capture/capture.ts';
import { createPauses, type Pauses } from './capture/pauses.ts';
import { type ControlPlaneLink, createControlPlaneLink } from './control-plane-link.ts';
import { describeAgent } from './describe-agent.ts';
import { type Device, openDevice } from './device.ts';
import { agentVersion } from './device-facts.ts';
import {
  boundProblems,
  endedByHeartbeat,
  gapsToReport,
  type HeartbeatBody,
  pausesToReport,
  refusalsFor,
  startHeartbeat,
  reportedGaps,
} from './heartbeat.ts';
import type { Log } from './log.ts';
import { createProblems, type Problems } from './problems.ts';
import { type Reports, startReports } from './reports.ts';
import { openSentToday } from './sent-today.ts';
import { reportOf, startReportSocket } from './report-socket.ts';
import { createSignal } from './signal.ts';
import { stateEntries } from './state-folder.ts';
import { keepSystemTrust } from './system-trust/keep-system-trust.ts';

/**
 * Creates the parts of the agent, each of values that the parts before it hand over:
 *
 *     device (state folder) -> link (identity, configuration) -> pauses -> capture -> reports -> heartbeat
 *     -> status
 *
 * What happens later in one part reaches the others as a signal.
 */
export async function wireAgent(options: AgentOptions, log: Log): Promise<AgentRuntime> {
  const startedAt = Date.now();
  const changes = createSignal();
  const changed = changes.send;
  const problems = createProblems(log, changed);

  const device = await openDevice(options, problems);
  const sent = openSentToday(device.file(stateEntries.sentToday));
  const link = createControlPlaneLink({
    options,
    device,
    log,
    problems,
    changed,
    onSent: (bytes) => sent.add('bytes', bytes),
  });
  const pauses = createPauses({
    state: device.state,
    config: link.configuration.inForce,
    user: device.facts.user,
  });
  link.applied.subscribe((version) => {
    pauses.check();
    keepCapturedSince(device, link);
    log.debug(`configuration ${version} is in force`);
    problems.set('state');
    changed();
  });
  link.resumed.subscribe(changed);
  const onUploaded = (captures: number): void => {
    sent.add('captures', captures);
    changed();
  };
  const capture = startCapture({ options, device, link, log, problems, pauses, onUploaded });
  const keeping = keepSystemTrust({ options, device, link, problems });
  const onResolved = capture.learn;
  const reports = startReports({
    options,
    device,
    link,
    log,
    problems,
    onResolved,
    changed,
    onSent: sent.add,
  });

  let wanted: number | null = null;
  const heartbeat = startHeartbeat({
    everyMs: options.heartbeatSeconds * 1000,
    connection: link.connection,
    body: () => heartbeatOf({ device, link, reports, capture, pauses, problems }),
    onSent: (body) => acknowledge(body, device, pauses),
    onBeat: link.beforeHeartbeat,
    onVersion: (version) => {
      wanted = version;
      return link.configuration.catchUp(version);
    },
  });
  link.resumed.subscribe(heartbeat.runNow);

  pauses.changed.subscribe(() => {
    log.info(pauses.until() === null ? 'capture: no longer paused' : 'capture: paused by the user');
    heartbeat.runNow();
    changed();
  });

  const status = () => describeAgent({ device, link, reports, problems, capture, pauses, sent });
  const announcer = createAnnouncer(status);
  changes.subscribe(announcer.changed);

  const socket = await startReportSocket({
    path: device.file(stateEntries.statusSocket),
    read: () => reportOf({ options, status: status(), link, capture, reports, wanted, startedAt }),
    onProblem: (line) => log.warn(`status socket: ${line}`),
  });

  link.start();
  return {
    status,
    onStatus: announcer.listen,
    exchange: (id) => capture.sent.list().find((one) => one.id === id) ?? null,
    pause: pauses.start,
    resume: pauses.resume,
    stop: async () => {
      pauses.stop();
      socket.close();
      await link.stop();
      await Promise.all([heartbeat.stop(), reports.stop(), capture.stop(), keeping.stop()]);
      link.connection.close();
      sent.stop();
    },
  };
}

interface HeartbeatParts {
  device: Device;
  link: ControlPlaneLink;
  reports: Reports;
  capture: Capture;
  pauses: Pauses;
  problems: Problems;
}

/** What a heartbeat says of this device now. */
function heartbeatOf({
  device,
  link,
  reports,
  capture,
  pauses,
  problems,
}: HeartbeatParts): HeartbeatBody {
  const inForce = link.configuration.inForce();
  const { dropped, not_observed } = device.state.read();
  return {
    agent_version: agentVersion,
    applied_version: inForce?.version ?? 0,
    queued: reports.queued() + capture.queued(),
    dropped,
    problems: boundProblems(problems.list(endedByHeartbeat)),
    ...refusalsFor(inForce, capture.refusals()),
    ...gapsToReport(not_observed),
    ...pausesToReport(inForce, pauses.unreported()),
  };
}

/** The control plane has this heartbeat: what it reported once is not kept for the next one. */
function acknowledge(body: HeartbeatBody, device: Device, pauses: Pauses): void {
  device.state.forgetGaps(reportedGaps(body));
  pauses.acknowledge(z.array(capturePause).parse(body.pauses ?? []));
}

/** Since when each host is captured, as the window shows. */
function keepCapturedSince({ state }: Device, { configuration }: ControlPlaneLink): void {
  const inForce = configuration.inForce();
  if (!inForce) return;
  const before = state.read().captured_since;
  const captured_since = capturedSince(before, inForce, Date.now());
  if (JSON.stringify(before) !== JSON.stringify(captured_since)) state.update({ captured_since });
}

import { z } from 'zod';
import { capturedSince } from '#agent/core/captured-since.ts';
import { capturePause } from '#contract/capture-pauses.ts';
import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { createAnnouncer } from './announcer.ts';
import { startCapture } from './capture/capture.ts';
import { createPauses } from './capture/pauses.ts';
import { type ControlPlaneLink, createControlPlaneLink } from './control-plane-link.ts';
import { describeAgent } from './describe-agent.ts';
import { type Device, openDevice } from './device.ts';
import { agentVersion } from './device-facts.ts';
import {
  boundProblems,
  endedByHeartbeat,
  gapsToReport,
  pausesToReport,
  refusalsFor,
  startHeartbeat,
  reportedGaps,
} from './heartbeat.ts';
import type { Log } from './log.ts';
import { createProblems } from './problems.ts';
import { startReports } from './reports.ts';
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
  link.applied.subscribe(() => {
    pauses.check();
    keepCapturedSince(device, link);
  });
  link.applied.subscribe((version) => {
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
    body: () => ({
      agent_version: agentVersion,
      applied_version: link.configuration.inForce()?.version ?? 0,
      queued: reports.queued() + capture.queued(),
      dropped: device.state.read().dropped,
      problems: boundProblems(problems.list(endedByHeartbeat)),
      ...refusalsFor(link.configuration.inForce(), capture.refusals()),
      ...gapsToReport(device.state.read().not_observed),
      ...pausesToReport(link.configuration.inForce(), pauses.unreported()),
    }),
    onSent: (body) => {
      device.state.forgetGaps(reportedGaps(body));
      pauses.acknowledge(z.array(capturePause).parse(body.pauses ?? []));
    },
    onBeat: link.beforeHeartbeat,
    onVersion: (version) => {
      wanted = version;
      return link.configuration.catchUp(version);
    },
  });
  link.resumed.subscribe(heartbeat.hurry);

  pauses.changed.subscribe(() => {
    log.info(pauses.until() === null ? 'capture: no longer paused' : 'capture: paused by the user');
    heartbeat.hurry();
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

/** Since when each host is captured, as the window shows. */
function keepCapturedSince({ state }: Device, { configuration }: ControlPlaneLink): void {
  const inForce = configuration.inForce();
  if (!inForce) return;
  const before = state.read().captured_since;
  const captured_since = capturedSince(before, inForce, Date.now());
  if (JSON.stringify(before) !== JSON.stringify(captured_since)) state.update({ captured_since });
}

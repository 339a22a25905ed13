import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { createAnnouncer } from './announcer.ts';
import { startCapture } from './capture/capture.ts';
import { createControlPlaneLink } from './control-plane-link.ts';
import { describeAgent } from './describe-agent.ts';
import { openDevice } from './device.ts';
import { agentVersion } from './device-facts.ts';
import {
  boundProblems,
  endedByHeartbeat,
  gapsToTell,
  refusalsFor,
  startHeartbeat,
  toldGaps,
} from './heartbeat.ts';
import type { Log } from './log.ts';
import { createProblems } from './problems.ts';
import { startReports } from './reports.ts';
import { createSignal } from './signal.ts';
import { keepSystemTrust } from './system-trust/keep-system-trust.ts';

/**
 * Creates the parts of the agent, each of values that the parts before it hand over:
 *
 *     device (state folder) -> link (identity, configuration) -> capture -> reports -> heartbeat -> status
 *
 * What happens later in one part reaches the others as a signal.
 */
export async function wireAgent(options: AgentOptions, log: Log): Promise<AgentRuntime> {
  const changes = createSignal();
  const changed = changes.send;
  const problems = createProblems(log, changed);

  const device = await openDevice(options, problems);
  const link = createControlPlaneLink({ options, device, log, problems, changed });
  link.applied.subscribe((version) => {
    log.debug(`configuration ${version} is in force`);
    problems.set('state');
    changed();
  });
  link.resumed.subscribe(changed);
  const capture = startCapture({ options, device, link, log, problems });
  const keeping = keepSystemTrust({ options, device, link, problems });
  const onResolved = capture.learn;
  const reports = startReports({ options, device, link, log, problems, onResolved, changed });

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
      ...gapsToTell(device.state.read().not_observed),
    }),
    onSent: (body) => device.state.forgetGaps(toldGaps(body)),
    onBeat: link.beforeHeartbeat,
    onVersion: link.configuration.catchUp,
  });
  link.resumed.subscribe(heartbeat.hurry);

  const status = () => describeAgent({ device, link, reports, problems });
  const announcer = createAnnouncer(status);
  changes.subscribe(announcer.changed);

  link.start();
  return {
    status,
    onStatus: announcer.listen,
    stop: async () => {
      await link.stop();
      await Promise.all([heartbeat.stop(), reports.stop(), capture.stop(), keeping.stop()]);
      link.connection.close();
    },
  };
}

import type { AgentStatus, Phase } from '#agent/core/status.ts';
import type { ControlPlaneLink } from './control-plane-link.ts';
import type { Device } from './device.ts';
import { hasIdentity } from './enrolling.ts';
import type { Problems } from './problems.ts';
import type { Reports } from './reports.ts';
import { originOf } from './service-client.ts';

export interface AgentParts {
  device: Device;
  link: ControlPlaneLink;
  reports: Reports;
  problems: Problems;
}

/** The status of the agent out of its parts. */
export function describeAgent({ device, link, reports, problems }: AgentParts): AgentStatus {
  const { device_id, dropped } = device.state.read();
  const managed = link.managed();
  const inForce = link.configuration.inForce();
  return {
    phase: phaseOf(device, link),
    device_id,
    api_host: managed && originOf(managed.config.api_url).replace('https://', ''),
    identity_expires_at: device.credentials.get('identity')?.notAfter ?? null,
    connected: link.connected(),
    config_version: inForce?.version ?? null,
    capture: {
      enabled: inForce?.capture_enabled ?? false,
      hosts: inForce?.intercept_hosts ?? [],
      processes: inForce?.intercept_processes ?? [],
    },
    counts: {
      apps: reports.apps().length,
      open_flows: reports.openFlows().length,
      reported: reports.uploaded(),
      queued: reports.queued(),
      dropped,
    },
    recent_flows: reports.recentFlows(),
    apps: reports.apps().map(({ kind, name, version }) => ({ kind, name, version })),
    problems: problems.list(),
  };
}

function phaseOf({ credentials }: Device, link: ControlPlaneLink): Phase {
  if (!link.managed()) return 'waiting for configuration';
  if (hasIdentity(credentials)) return 'enrolled';
  return link.waiting() ? 'waiting for approval' : 'enrolling';
}

import type { AgentStatus, Phase } from '#agent/core/status.ts';
import type { AppReport, FlowReport } from '#contract/fleet.ts';
import type { Configuration, Managed } from './configuration.ts';
import type { Credentials } from './credentials.ts';
import { hasIdentity } from './enrolling.ts';
import type { Observation } from './observation.ts';
import type { Problems } from './problems.ts';
import { originOf } from './service-client.ts';
import type { Spool } from './spool.ts';
import type { DeviceState } from './state.ts';

/** What the agent has come across since it started. */
export interface Seen {
  apps: AppReport[];
  flows: FlowReport[];
  uploaded: number;
  connected: boolean;
  /** For somebody who is to approve this device. */
  waiting: boolean;
}

export interface AgentParts {
  managed: Managed | null;
  state: DeviceState;
  credentials: Credentials;
  configuration: Configuration;
  spool: Spool;
  observation: Observation;
  problems: Problems;
  seen: Seen;
}

/** The status of the agent out of its parts. */
export function describeAgent(parts: AgentParts): AgentStatus {
  const { managed, state, credentials, configuration, seen } = parts;
  const { device_id, dropped } = state.read();
  const inForce = configuration.inForce();
  return {
    phase: phaseOf(managed, credentials, seen),
    device_id,
    api_host: managed && originOf(managed.config.api_url).replace('https://', ''),
    identity_expires_at: credentials.get('identity')?.notAfter ?? null,
    connected: seen.connected,
    config_version: inForce?.version ?? null,
    capture: {
      enabled: inForce?.capture_enabled ?? false,
      hosts: inForce?.intercept_hosts ?? [],
      processes: inForce?.intercept_processes ?? [],
    },
    counts: {
      apps: seen.apps.length,
      open_flows: parts.observation.openFlows().length,
      reported: seen.uploaded,
      queued: parts.spool.queued(),
      dropped,
    },
    recent_flows: seen.flows,
    apps: seen.apps.map(({ kind, name, version }) => ({ kind, name, version })),
    problems: parts.problems.list(),
  };
}

function phaseOf(managed: Managed | null, credentials: Credentials, { waiting }: Seen): Phase {
  if (!managed) return 'waiting for configuration';
  if (hasIdentity(credentials)) return 'enrolled';
  return waiting ? 'waiting for approval' : 'enrolling';
}

import type { AgentStatus, CaptureStatus, ExchangeSummary, Phase } from '#agent/core/status.ts';
import type { CaptureLevel } from '#contract/captures.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { splitUnreadFiles } from '#agent/core/unread-files.ts';
import { captureLevel } from '#domain/capture/capture-level.ts';
import type { Capture } from '../capture/capture.ts';
import type { Pauses } from '../capture/pauses.ts';
import type { SentExchange } from '../capture/sent-exchanges.ts';
import type { CodingAgents } from '../coding-agents/manage-coding-agents.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { hasIdentity } from '../identity/enrollment-loop.ts';
import type { Problems } from './problems.ts';
import type { Reports } from '../reports/reports.ts';
import type { SentToday } from './sent-today.ts';
import type { ToolHooks } from '../tool-checks/manage-tool-hooks.ts';
import { originOf } from '../link/control-plane-client.ts';

export interface StatusSources {
  device: Device;
  link: ControlPlaneLink;
  reports: Reports;
  problems: Problems;
  capture: Pick<Capture, 'sent' | 'refusals'>;
  pauses: Pick<Pauses, 'allowedMinutes' | 'until'>;
  sent: Pick<SentToday, 'read'>;
  codingAgents: Pick<CodingAgents, 'written' | 'delivered'>;
  toolHooks: Pick<ToolHooks, 'written' | 'delivered'>;
}

/** Builds the status of the agent from its parts. */
export function buildStatus(parts: StatusSources): AgentStatus {
  const { device, link, reports, problems, capture, pauses, sent, codingAgents, toolHooks } = parts;
  const { device_id, dropped } = device.state.read();
  const managed = link.managed();
  const effectiveConfig = link.configuration.effective();
  return {
    phase: phaseOf(device, link),
    device_id,
    api_host: managed && originOf(managed.config.api_url).replace('https://', ''),
    identity_expires_at: device.credentials.get('identity')?.notAfter ?? null,
    key_binding: device.keyBinding.status().state,
    connected: link.isConnected(),
    config_version: effectiveConfig?.version ?? null,
    capture: describeCapture(effectiveConfig, device.state.read().captured_since),
    pause: { allowed_minutes: pauses.allowedMinutes(), until: pauses.until() },
    coding_agents: {
      level: effectiveConfig?.coding_agents ?? 'off',
      tool_checks: effectiveConfig?.tool_checks ?? 'off',
      files: [
        ...codingAgents.written().map((file) => ({ purpose: 'telemetry' as const, ...file })),
        ...codingAgents.delivered().map((file) => deliveredFile('telemetry', file)),
        ...toolHooks.written().map((file) => ({ purpose: 'tool_checks' as const, ...file })),
        ...toolHooks.delivered().map((file) => deliveredFile('tool_checks', file)),
      ],
    },
    app: effectiveConfig?.app ?? null,
    sent_today: sent.read(),
    counts: {
      apps: reports.apps().length,
      open_flows: reports.openFlows().length,
      reported: reports.uploaded(),
      queued: reports.queued(),
      dropped,
    },
    recent_flows: reports.recentFlows(),
    exchanges: capture.sent.list().map(summarize),
    apps: reports
      .apps()
      .map(({ kind, name, version, catalog_id }) => ({ kind, name, version, catalog_id })),
    capture_levels: describeLevels(effectiveConfig, { reports, capture }),
    ...splitUnreadFiles(problems.list()),
  };
}

const captureOff: CaptureStatus = {
  enabled: false,
  hosts: [],
  processes: [],
  enabled_by: null,
  enforced: false,
  blocked_hosts: [],
  blocked_processes: [],
};

function describeCapture(
  config: DeviceConfig | null,
  since: Readonly<Record<string, number>>,
): CaptureStatus {
  if (config === null) return captureOff;
  return {
    enabled: config.capture_enabled,
    hosts: config.intercept_hosts.map((host) => ({
      host,
      set_by: config.host_sources?.[host] ?? null,
      since: since[host] ?? null,
    })),
    processes: config.intercept_processes,
    enabled_by: config.origins?.['capture_enabled']?.source ?? null,
    enforced: config.enforce_policies,
    blocked_hosts: config.blocked_hosts,
    blocked_processes: config.blocked_processes,
  };
}

/** A file of device management, which the agent has not written. */
const deliveredFile = <P extends string>(
  purpose: P,
  { tool, path }: { tool: string; path: string },
) => ({ purpose, tool, path, written_at: null, restored_at: null });

function summarize(exchange: SentExchange): ExchangeSummary {
  const { id, host, process, app_id, method, path, status, started_at, model } = exchange;
  const { redactions } = exchange;
  return { id, host, process, app_id, method, path, status, started_at, model, redactions };
}

/**
 * Determines the capture levels of apps in the same way as the control plane, from the facts that
 * this agent has collected since its start.
 */
function describeLevels(
  config: DeviceConfig | null,
  { reports, capture }: Pick<StatusSources, 'reports' | 'capture'>,
): CaptureLevel[] {
  const ids = reports.apps().flatMap(({ catalog_id }) => catalog_id ?? []);
  const hosts = config?.capture_enabled ? config.intercept_hosts : [];
  const facts = {
    capturedHosts: new Set(hosts),
    contents: capture.sent
      .list()
      .filter(({ request_body, response_body }) => request_body !== null || response_body !== null)
      .map((one) => ({ ...one, started_at: Date.parse(one.started_at) })),
    refusals: capture.refusals(),
    reached: reports.reachedHosts(),
  };
  return [...new Set(ids)].map((id) => captureLevel(id, facts));
}

function phaseOf({ credentials }: Device, link: ControlPlaneLink): Phase {
  if (!link.managed()) return 'waiting for configuration';
  if (hasIdentity(credentials) || credentials.areLocked()) return 'enrolled';
  return link.isAwaitingApproval() ? 'waiting for approval' : 'enrolling';
}

import { chmodSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AgentReport, agentReport } from '#agent/core/doctor/agent-report.ts';
import type { AgentStatus } from '#agent/core/status.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import { errnoOf, removeIfExists } from '../state/atomic-file.ts';
import { startListening } from '../capture/listeners/listen.ts';
import type { Capture } from '../capture/capture.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { agentVersion } from '../identity/device-facts.ts';
import type { Reports } from '../reports/reports.ts';

export interface StatusSocketOptions {
  path: string;
  read: () => AgentReport;
  onProblem: (line: string) => void;
}

/**
 * A Unix socket that sends the report as JSON to every connection and reads nothing. A file would
 * look the same after the agent hangs or was killed.
 */
export async function startStatusSocket(options: StatusSocketOptions): Promise<{ close(): void }> {
  // This agent holds the lock of the folder, so an existing socket was left by a killed agent.
  removeIfExists(options.path);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(options.read()));
  });
  const { path } = options;
  const isListening = await startListening(server, { path }, ({ message }) =>
    options.onProblem(message),
  );
  if (isListening) chmodSync(path, 0o600);
  server.unref();
  return { close: () => void server.close() };
}

export interface AgentReportSources {
  options: AgentOptions;
  status: AgentStatus;
  device: Pick<Device, 'keyBinding'>;
  link: ControlPlaneLink;
  capture: Capture;
  reports: Reports;
  /** The version of the configuration that the last heartbeat named. */
  wantedVersion: number | null;
  startedAt: number;
}

export function buildReport(parts: AgentReportSources): AgentReport {
  const { options, status, device, link, capture, reports, wantedVersion, startedAt } = parts;
  return {
    pid: process.pid,
    version: agentVersion,
    started_at: startedAt,
    managed_preferences: options.managedPreferences,
    phase: status.phase,
    device_id: status.device_id,
    key_binding: device.keyBinding.status(),
    connected_since: link.connectedSince(),
    applied: status.config_version,
    wanted: wantedVersion,
    capture: {
      enabled: status.capture.enabled,
      hosts: status.capture.hosts.map(({ host }) => host),
      processes: status.capture.processes,
    },
    doors: capture.listeners(),
    proxy_port: options.proxyPort,
    system_trust: options.systemTrust,
    coding_agents: {
      level: status.coding_agents.level,
      files: status.coding_agents.files.map(({ tool, path, written_at }) => ({
        tool,
        path,
        delivered: written_at === null,
      })),
    },
    refusals: capture
      .refusals()
      .map(({ process: processName, host }) => ({ process: processName, host })),
    queued: reports.queued() + capture.queued(),
    problems: [...status.problems, ...status.unread_files],
  };
}

/** Fetches the report of the agent at this socket; null if no agent listens. */
export async function fetchAgentReport(
  path: string,
  timeoutMs = 3000,
): Promise<AgentReport | 'no answer' | 'private' | null> {
  const socket = connect({ path });
  const timeout = setTimeout(() => socket.destroy(new Error('too late')), timeoutMs);
  try {
    return agentReport.parse(JSON.parse(await text(socket)));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EACCES' || code === 'EPERM') return 'private';
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? null : 'no answer';
  } finally {
    clearTimeout(timeout);
  }
}

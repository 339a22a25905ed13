import { chmodSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AgentReport, agentReport } from '#agent/core/doctor/agent-report.ts';
import type { AgentStatus } from '#agent/core/status.ts';
import type { AgentOptions } from './agent-runtime.ts';
import { errnoOf, removeIfThere } from './atomic-file.ts';
import { startListening } from './capture/doors/listening.ts';
import type { Capture } from './capture/capture.ts';
import type { ControlPlaneLink } from './control-plane-link.ts';
import { agentVersion } from './device-facts.ts';
import type { Reports } from './reports.ts';

export interface ReportSocketOptions {
  path: string;
  read: () => AgentReport;
  onProblem: (line: string) => void;
}

/**
 * A Unix socket that answers every connection with the report, as JSON, and takes nothing. A file
 * would say the same of an agent that hangs or was killed.
 */
export async function startReportSocket(options: ReportSocketOptions): Promise<{ close(): void }> {
  // The agent has the lock of the folder: a socket there is of one that was killed.
  removeIfThere(options.path);
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

export interface ReportParts {
  options: AgentOptions;
  status: AgentStatus;
  link: ControlPlaneLink;
  capture: Capture;
  reports: Reports;
  /** The version of the configuration that the last heartbeat named. */
  wanted: number | null;
  startedAt: number;
}

export function reportOf(parts: ReportParts): AgentReport {
  const { options, status, link, capture, reports, wanted, startedAt } = parts;
  return {
    pid: process.pid,
    version: agentVersion,
    started_at: startedAt,
    managed_preferences: options.managedPreferences,
    phase: status.phase,
    device_id: status.device_id,
    connected_since: link.connectedSince(),
    applied: status.config_version,
    wanted,
    capture: {
      enabled: status.capture.enabled,
      hosts: status.capture.hosts.map(({ host }) => host),
      processes: status.capture.processes,
    },
    doors: capture.doors(),
    proxy_port: options.proxyPort,
    system_trust: options.systemTrust,
    refusals: capture.refusals().map(({ process: program, host }) => ({ process: program, host })),
    queued: reports.queued() + capture.queued(),
    problems: status.problems,
  };
}

/** The report of the agent at this socket; null where none listens. */
export async function askForReport(
  path: string,
  patienceMs = 3000,
): Promise<AgentReport | 'no answer' | 'private' | null> {
  const socket = connect({ path });
  const tooLate = setTimeout(() => socket.destroy(new Error('too late')), patienceMs);
  try {
    return agentReport.parse(JSON.parse(await text(socket)));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EACCES' || code === 'EPERM') return 'private';
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? null : 'no answer';
  } finally {
    clearTimeout(tooLate);
  }
}

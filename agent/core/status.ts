import type { AppReport, FlowReport } from '#contract/fleet.ts';

export type Phase = 'waiting for configuration' | 'enrolling' | 'waiting for approval' | 'enrolled';

/** What the agent is doing, as plain data without secrets: exactly what its window shows. */
export interface AgentStatus {
  phase: Phase;
  device_id: string | null;
  /** host:port of the control plane */
  api_host: string | null;
  /** ms */
  identity_expires_at: number | null;
  /** Is the channel to the control plane open? */
  connected: boolean;
  /** The configuration in force; null before the first one. */
  config_version: number | null;
  capture: { enabled: boolean; hosts: string[]; processes: string[] };
  counts: {
    apps: number;
    open_flows: number;
    /** flow reports accepted by the control plane since the agent started */
    reported: number;
    /** flow reports waiting on disk */
    queued: number;
    /** flow reports given up since enrollment */
    dropped: number;
  };
  /** Latest first. */
  recent_flows: FlowReport[];
  apps: Pick<AppReport, 'kind' | 'name' | 'version'>[];
  problems: string[];
}

/** The latest flows, newest news first; a report replaces the earlier one of its flow. */
export function rememberFlow(flows: FlowReport[], report: FlowReport, most = 50): FlowReport[] {
  return [report, ...flows.filter((flow) => flow.id !== report.id)].slice(0, most);
}

import type { AppNotes } from '#contract/app-settings.ts';
import type { CaptureLevel } from '#contract/captures.ts';
import type { FlowReport } from '#contract/flows.ts';
import type { AppReport } from '#contract/inventory.ts';
import type { CodingAgentLevel } from '#contract/guard.ts';
import type { GuardSource } from '#domain/guard/cascade.ts';
import type { Sent } from './sent-today.ts';

export type Phase = 'waiting for configuration' | 'enrolling' | 'waiting for approval' | 'enrolled';

/** An exchange that was uploaded, without its bodies. */
export interface ExchangeSummary {
  id: string;
  host: string;
  process: string | null;
  app_id: string | null;
  method: string;
  path: string;
  status: number | null;
  /** As it was sent: ISO 8601. */
  started_at: string;
  model: string | null;
  /** What was replaced before it left: kind to count. */
  redactions: Record<string, number>;
}

export interface CaptureStatus {
  enabled: boolean;
  /** `since`: ms; null where it is not known. */
  hosts: { host: string; since: number | null }[];
  /** None: all. */
  processes: string[];
  /** Which layer of Guard switches capture on and names the hosts; null: an older control plane. */
  enabled_by: GuardSource | null;
  hosts_by: GuardSource | null;
  /** Policies refuse calls before they are made. */
  enforced: boolean;
  blocked_hosts: string[];
  blocked_processes: string[];
}

export interface CodingAgentsStatus {
  level: CodingAgentLevel;
  /** Settings that the agent wrote; times in ms. */
  files: { tool: string; path: string; written_at: number; restored_at: number | null }[];
}

export interface PauseStatus {
  /** For how many minutes capture may be paused now; 0: not at all. */
  allowed_minutes: number;
  /** When the pause that lasts is over, ms; null where none lasts. */
  until: number | null;
}

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
  capture: CaptureStatus;
  pause: PauseStatus;
  coding_agents: CodingAgentsStatus;
  /** The support contact and the newest version; null if the control plane sends none. */
  app: AppNotes | null;
  sent_today: Sent;
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
  /** The last that were uploaded since the agent started, latest first. */
  exchanges: ExchangeSummary[];
  apps: Pick<AppReport, 'kind' | 'name' | 'version' | 'catalog_id'>[];
  /** How much of each app of the catalog can be captured, as far as this device knows. */
  capture_levels: CaptureLevel[];
  problems: string[];
}

/** The latest flows, newest news first; a report replaces the earlier one of its flow. */
export function rememberFlow(flows: FlowReport[], report: FlowReport, maxFlows = 50): FlowReport[] {
  return [report, ...flows.filter((flow) => flow.id !== report.id)].slice(0, maxFlows);
}

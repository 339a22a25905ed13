import type { AppNotes } from '#contract/app-settings.ts';
import type { CaptureLevel } from '#contract/captures.ts';
import type { FlowReport } from '#contract/flows.ts';
import type { AppReport } from '#contract/inventory.ts';
import type { CodingAgentLevel, ToolCheckMode } from '#contract/guard.ts';
import type { GuardSource } from '#domain/guard/cascade.ts';
import type { KeyBindingStatus } from './doctor/agent-report.ts';
import type { DailyCounts } from './sent-today.ts';

export type Phase = 'waiting for configuration' | 'enrolling' | 'waiting for approval' | 'enrolled';

/** An uploaded exchange without its bodies. */
export interface ExchangeSummary {
  id: string;
  host: string;
  process: string | null;
  app_id: string | null;
  method: string;
  path: string;
  status: number | null;
  /** The start as sent, in ISO 8601. */
  started_at: string;
  model: string | null;
  /** The number of replacements before the upload, by kind. */
  redactions: Record<string, number>;
}

export interface CaptureStatus {
  enabled: boolean;
  /**
   * The hosts with the Guard layer that switches each on (null: an older control plane) and the
   * time in ms since which it is captured; null if unknown.
   */
  hosts: { host: string; set_by: GuardSource | null; since: number | null }[];
  /** The captured processes; an empty list means all. */
  processes: string[];
  /** The Guard layer that enables capture; null: an older control plane. */
  enabled_by: GuardSource | null;
  /** Whether policies may refuse calls. */
  enforced: boolean;
  blocked_hosts: string[];
  blocked_processes: string[];
}

/** What a settings file of a coding agent is for: its telemetry, or checks of its tool calls. */
export type SettingsPurpose = 'telemetry' | 'tool_checks';

export interface CodingAgentsStatus {
  level: CodingAgentLevel;
  tool_checks: ToolCheckMode;
  /**
   * Settings files that the agent wrote, and managed preferences that make a tool report to it; times
   * in ms. A file can have both purposes.
   */
  files: {
    purpose: SettingsPurpose;
    tool: string;
    path: string;
    /** Null: delivered by device management. */
    written_at: number | null;
    restored_at: number | null;
  }[];
}

export interface PauseStatus {
  /** The number of minutes for which capture may be paused now; 0: not at all. */
  allowed_minutes: number;
  /** The end of the active pause, in ms; null without one. */
  until: number | null;
}

/** The agent's state as plain data without secrets: exactly what its window shows. */
export interface AgentStatus {
  phase: Phase;
  device_id: string | null;
  /** host:port of the control plane */
  api_host: string | null;
  /** ms */
  identity_expires_at: number | null;
  /** Whether the private keys are bound to the TPM of this computer, or kept in files alone. */
  key_binding: KeyBindingStatus['state'];
  /** Whether the channel to the control plane is open. */
  connected: boolean;
  /** The applied configuration; null before the first one. */
  config_version: number | null;
  capture: CaptureStatus;
  pause: PauseStatus;
  coding_agents: CodingAgentsStatus;
  /** The support contact and the latest version; null if the control plane sends none. */
  app: AppNotes | null;
  sent_today: DailyCounts;
  counts: {
    apps: number;
    open_flows: number;
    /** flow reports accepted by the control plane since the agent started */
    reported: number;
    /** flow reports waiting on disk */
    queued: number;
    /** flow reports discarded since enrollment */
    dropped: number;
  };
  /** Latest flows first. */
  recent_flows: FlowReport[];
  /** The latest uploaded exchanges since the agent started, latest first. */
  exchanges: ExchangeSummary[];
  apps: Pick<AppReport, 'kind' | 'name' | 'version' | 'catalog_id'>[];
  /** The capture level of each app in the catalog, as known to this device. */
  capture_levels: CaptureLevel[];
  problems: string[];
  /** Files and folders that the inventory could not read: no problems, one line each. */
  unread_files: string[];
}

/** The latest flows, latest first; a report replaces the earlier one of its flow. */
export function rememberFlow(flows: FlowReport[], report: FlowReport, maxFlows = 50): FlowReport[] {
  return [report, ...flows.filter((flow) => flow.id !== report.id)].slice(0, maxFlows);
}

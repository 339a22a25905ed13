import { z } from 'zod';
import type { AgentStatus } from '#agent/core/status.ts';
import type { SentExchange } from '#agent/node/capture/sent-exchanges.ts';
import { appNotes } from '#contract/app-settings.ts';
import { captureLevel, captureReport } from '#contract/captures.ts';
import { describeIssues } from '#contract/errors.ts';
import { count, timestamp } from '#contract/fields.ts';
import { flowReport } from '#contract/flows.ts';
import { appReport } from '#contract/inventory.ts';
import { guardFields, guardSource } from '#contract/guard.ts';

/** A strict schema, so that a secret or a new field never reaches the window by accident. */
const agentStatus = z.strictObject({
  phase: z.enum(['waiting for configuration', 'enrolling', 'waiting for approval', 'enrolled']),
  device_id: z.string().nullable(),
  api_host: z.string().nullable(),
  identity_expires_at: timestamp.nullable(),
  key_binding: z.enum(['none', 'bound', 'not_bound', 'locked']),
  connected: z.boolean(),
  config_version: z.int().nullable(),
  capture: z.strictObject({
    enabled: z.boolean(),
    hosts: z.array(
      z.strictObject({
        host: z.string(),
        set_by: guardSource.nullable(),
        since: timestamp.nullable(),
      }),
    ),
    processes: z.array(z.string()),
    enabled_by: guardSource.nullable(),
    enforced: z.boolean(),
    blocked_hosts: z.array(z.string()),
    blocked_processes: z.array(z.string()),
  }),
  pause: z.strictObject({ allowed_minutes: count, until: timestamp.nullable() }),
  coding_agents: z.strictObject({
    level: guardFields.shape.coding_agents,
    tool_checks: guardFields.shape.tool_checks,
    files: z.array(
      z.strictObject({
        purpose: z.enum(['telemetry', 'tool_checks']),
        tool: z.string(),
        path: z.string(),
        written_at: timestamp.nullable(),
        restored_at: timestamp.nullable(),
      }),
    ),
  }),
  app: z.strictObject(appNotes.shape).nullable(),
  sent_today: z.strictObject({
    day: z.string(),
    flow_reports: count,
    captures: count,
    inventories: count,
    telemetry: count,
    tool_calls: count,
    bytes: count,
  }),
  counts: z.strictObject({
    apps: count,
    open_flows: count,
    reported: count,
    queued: count,
    dropped: count,
  }),
  recent_flows: z.array(flowReport),
  exchanges: z.array(
    z.strictObject({
      id: z.string(),
      host: z.string(),
      process: z.string().nullable(),
      app_id: z.string().nullable(),
      method: z.string(),
      path: z.string(),
      status: z.int().nullable(),
      started_at: z.iso.datetime(),
      model: z.string().nullable(),
      redactions: z.record(z.string(), count),
    }),
  ),
  apps: z.array(appReport.pick({ kind: true, name: true, version: true, catalog_id: true })),
  capture_levels: z.array(captureLevel),
  problems: z.array(z.string()),
  unread_files: z.array(z.string()),
}) satisfies z.ZodType<AgentStatus>;

/** The status as sent to the window, with times in ISO 8601. */
export type StatusMessage = z.input<typeof agentStatus>;

/** Encodes the status for the window. The error names the unexpected field. */
export function encodeStatus(status: AgentStatus): { message: StatusMessage } | { error: string } {
  const encoded = z.safeEncode(agentStatus, status);
  if (encoded.success) return { message: encoded.data };
  return { error: describeIssues(encoded.error, 'status') };
}

/** Returns whether the exchange has only the fields that the contract allows in an upload. */
export const isUploaded = (exchange: unknown): exchange is SentExchange =>
  captureReport.safeParse(exchange).success;

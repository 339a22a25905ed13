import { z } from 'zod';
import type { AgentStatus } from '#agent/core/status.ts';
import { describeIssues } from '#contract/errors.ts';
import { count, timestamp } from '#contract/fields.ts';
import { appReport, flowReport } from '#contract/fleet.ts';

/** Strict, so that nothing unplanned reaches the window: neither a secret nor a new field. */
const agentStatus = z.strictObject({
  phase: z.enum(['waiting for configuration', 'enrolling', 'waiting for approval', 'enrolled']),
  device_id: z.string().nullable(),
  api_host: z.string().nullable(),
  identity_expires_at: timestamp.nullable(),
  connected: z.boolean(),
  config_version: z.int().nullable(),
  capture: z.strictObject({
    enabled: z.boolean(),
    hosts: z.array(z.string()),
    processes: z.array(z.string()),
  }),
  counts: z.strictObject({
    apps: count,
    open_flows: count,
    reported: count,
    queued: count,
    dropped: count,
  }),
  recent_flows: z.array(flowReport),
  apps: z.array(appReport.pick({ kind: true, name: true, version: true })),
  problems: z.array(z.string()),
}) satisfies z.ZodType<AgentStatus>;

/** The status as it crosses to the window: times as ISO 8601, as everywhere on a wire. */
export type StatusMessage = z.input<typeof agentStatus>;

/** The status for the window, or one line that names what does not belong into it. */
export function encodeStatus(status: AgentStatus): { message: StatusMessage } | { error: string } {
  const encoded = z.safeEncode(agentStatus, status);
  if (encoded.success) return { message: encoded.data };
  return { error: describeIssues(encoded.error, 'status') };
}

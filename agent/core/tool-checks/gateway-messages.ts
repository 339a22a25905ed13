import { z } from 'zod';
import { toolDecisions } from '#contract/tool-checks.ts';

/** The sender of each message, a gateway. */
const gateway = {
  /** `clientInfo.name` of the client; empty before the client has sent it. */
  client_name: z.string().max(500),
  server: z.string().min(1).max(500),
  /** The id of the gateway process, a UUID. */
  session: z.uuid(),
};

export const checkRequest = z.object({ ...gateway, tool: z.string().min(1) });

export const checkResponse = z.object({
  decision: z.enum(toolDecisions),
  /** Why the call is refused, for the model; empty if it is allowed. */
  message: z.string(),
});

export const listRequest = z.object({ ...gateway, tools: z.array(z.string()) });

/** The tools that policies refuse. */
export const listResponse = z.object({ refused: z.array(z.string()) });

const times = { started_at: z.number(), ended_at: z.number() };

export const callRecord = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  tool: z.string().min(1),
  ...times,
  error: z.string().nullable(),
  /** JSON, possibly truncated; null if arguments are not recorded. */
  arguments: z.string().nullable(),
  result: z.string().nullable(),
});
export type CallRecord = z.output<typeof callRecord>;

export const recordRequest = z.object({
  ...gateway,
  calls: z.array(callRecord).max(100),
  /** Set once, when the gateway ends. */
  ended: z.object({ ...times, error: z.string().nullable() }).nullable(),
});
export type RecordRequest = z.output<typeof recordRequest>;

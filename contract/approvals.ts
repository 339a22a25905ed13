import { z } from 'zod';
import { riskLevels } from './evaluations.ts';
import { jsonOf, jsonStrings, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';

export const approvalStatuses = ['pending', 'approved', 'denied', 'expired'] as const;
const status = z.enum(approvalStatuses);

/**
 * A name that is null on the wire and empty internally, because nulls would not be unique in the
 * index.
 */
const nameOrNone = z.codec(z.string().nullable(), z.string(), {
  decode: (name) => name ?? '',
  encode: (name) => name || null,
});

/** The action that an agent announces. */
export const requestedAction = z.object({
  inputs: z.unknown().optional(),
  tool_calls: z.array(z.object({ name: z.string(), arguments: z.unknown().optional() })),
  tools: z.array(z.string()),
  models: z.array(z.string()),
  mcp_servers: z.array(z.string()),
  estimated_cost: z.number().nullable().meta({ description: 'USD' }),
  risk_level: z.enum(riskLevels).nullable(),
  truncated: z.boolean().meta({ description: 'true: longer parts are cut, JSON as text' }),
});
export type RequestedAction = z.output<typeof requestedAction>;

export const approval = z.object({
  id: z.string(),
  status,
  policy_id: z.string(),
  policy_name: z.string(),
  agent_name: z.string(),
  workflow_name: z.string(),
  action_type: z.string().meta({
    description: 'subject of the approval: an action, workflow or tool',
    examples: ['deploy'],
  }),
  agent_id: nameOrNone.meta({ description: 'of the instance that requested it' }),
  user_id: nameOrNone,
  reason: z.string(),
  request: jsonOf(requestedAction)
    .nullable()
    .meta({ description: 'what is to be done, masked; null if the agent did not provide it' }),
  approvers: jsonStrings.meta({ description: 'users who may decide; empty: every administrator' }),
  timeout_minutes: z.int(),
  created_at: timestamp,
  expires_at: timestamp.meta({ description: 'deadline for the decision' }),
  holds_until: timestamp.meta({
    description: 'end of validity of the decision, or of the expired request',
  }),
  decided_at: timestamp.nullable(),
  decided_by: z
    .string()
    .nullable()
    .meta({ description: 'email address of the user, or id of the API key' }),
  note: z.string(),
});

const params = z.object({ id: z.string() });
const note = z.strictObject({ note: z.string().max(2000).default('') });

/** Viewers are allowed, because a policy can name any user as approver. */
const admin = { auth: 'admin', role: 'viewer', errors: 'coded' } as const;

export const approvalRoutes = routes({
  listApprovals: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/approvals/',
    summary: 'List approval requests, newest first',
    query: z.object({
      ...paging,
      status: status.optional(),
      pending: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'false: those that were decided or have expired' }),
      agent: z.string().optional(),
      policy_id: z.string().optional(),
    }),
    response: page(approval),
  },
  getApproval: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/approvals/{id}/',
    summary: 'One approval request',
    params,
    response: approval,
  },
  approve: {
    ...admin,
    method: 'POST',
    path: '/svc/v1/approvals/{id}/approve/',
    summary: 'Approve a request, which lets the agent start once; requires an approver or owner',
    params,
    body: note,
    response: approval,
  },
  decideApprovals: {
    ...admin,
    method: 'POST',
    path: '/svc/v1/approvals/decide/',
    summary: 'Approve or deny several requests, each on its own; requires an approver or owner',
    body: z.strictObject({
      ids: z.array(z.string()).min(1).max(100),
      decision: z.enum(['approve', 'deny']),
      note: z.string().max(2000).default(''),
    }),
    response: z.object({
      decided: z.array(z.string()).meta({ description: 'ids' }),
      refused: z.array(z.object({ id: z.string(), error: z.string() })),
    }),
  },
  deny: {
    ...admin,
    method: 'POST',
    path: '/svc/v1/approvals/{id}/deny/',
    summary: 'Deny a request; requires an approver or owner',
    params,
    body: note,
    response: approval,
  },
});

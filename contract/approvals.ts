import { z } from 'zod';
import { jsonStrings, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';

export const approvalStatuses = ['pending', 'approved', 'denied', 'expired'] as const;
const status = z.enum(approvalStatuses);

/** Null on the wire, empty inside: nulls would not be unique in the index. */
const nameOrNone = z.codec(z.string().nullable(), z.string(), {
  decode: (name) => name ?? '',
  encode: (name) => name || null,
});

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

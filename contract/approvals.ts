import { z } from 'zod';
import { jsonStrings, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';

export const approvalStatuses = ['pending', 'approved', 'denied', 'expired'] as const;
const status = z.enum(approvalStatuses);

/** Absent on the wire as null; inside empty, since a null would not be unique. */
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
    description: 'what is to be approved: an action, workflow or tool',
    examples: ['deploy'],
  }),
  agent_id: nameOrNone.meta({ description: 'of the instance that asked' }),
  user_id: nameOrNone,
  reason: z.string(),
  approvers: jsonStrings.meta({ description: 'who may decide; empty: every administrator' }),
  timeout_minutes: z.int(),
  created_at: timestamp,
  expires_at: timestamp.meta({ description: 'until when it can be decided' }),
  holds_until: timestamp.meta({
    description: 'until when the decision counts, or that nobody decided in time',
  }),
  decided_at: timestamp.nullable(),
  decided_by: z
    .string()
    .nullable()
    .meta({ description: 'e-mail address of the user, or id of the API key' }),
  note: z.string(),
});

const params = z.object({ id: z.string() });
const note = z.strictObject({ note: z.string().max(2000).default('') });

/** Whoever a policy names as approver may look and decide, whatever the role. */
const admin = { auth: 'admin', role: 'viewer', errors: 'coded' } as const;

export const approvalRoutes = routes({
  listApprovals: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/approvals/',
    summary: 'What agents ask people to approve, the newest first',
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
    summary: 'One request for approval',
    params,
    response: approval,
  },
  approve: {
    ...admin,
    method: 'POST',
    path: '/svc/v1/approvals/{id}/approve/',
    summary: 'Approve: lets the agent start once; for those whom the policy names, and owners',
    params,
    body: note,
    response: approval,
  },
  deny: {
    ...admin,
    method: 'POST',
    path: '/svc/v1/approvals/{id}/deny/',
    summary: 'Deny; for those whom the policy names, and owners',
    params,
    body: note,
    response: approval,
  },
});

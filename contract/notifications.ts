import { z } from 'zod';
import { approvalStatuses } from './approvals.ts';
import { count, flag, jsonOf, jsonStrings, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';
import { severities } from './policy-actions.ts';

export const channelKinds = ['webhook', 'slack', 'teams', 'email'] as const;
export type ChannelKind = (typeof channelKinds)[number];

export const notificationEvents = [
  'incident.raised',
  'approval.requested',
  'approval.expiring',
  'budget.reached',
  'device.offline',
  'device.problem',
  'device.enrolled',
  'device.revoked',
  'recording.failing',
] as const;
export type NotificationEventName = (typeof notificationEvents)[number];

export const deliveryStatuses = ['waiting', 'sent', 'failed', 'dropped'] as const;

const name = z.string().trim().min(1, 'expected a name').max(100);
const url = z
  .url({ protocol: /^https?$/, error: 'expected a URL that begins with https://' })
  .max(2000)
  .meta({ examples: ['https://hooks.example.com/gatehouse'] });
const recipients = z.array(z.email()).min(1).max(20);

export const notificationChannel = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(channelKinds),
  target: z.string().meta({ description: 'destination, without the secret parts of a URL' }),
  recipients: jsonStrings.meta({ description: 'email addresses; empty for other kinds' }),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'why nothing can be sent; null if no problem is known' }),
  created_at: timestamp,
  updated_at: timestamp,
});

const secret = z.string().meta({
  description: 'verifies signatures (Standard Webhooks); shown only here',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

const minuteOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as 22:00')
  .meta({ examples: ['22:00'] });

const isTimeZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
};

const quietHours = z.strictObject({
  time_zone: z
    .string()
    .max(60)
    .refine(isTimeZone, 'expected the name of a time zone, such as Europe/Berlin')
    .meta({ examples: ['Europe/Berlin'] }),
  periods: z
    .array(
      z.strictObject({
        days: z
          .array(z.int().min(1).max(7))
          .min(1)
          .max(7)
          .meta({ description: 'days on which the quiet hours begin; 1: Monday, 7: Sunday' }),
        from: minuteOfDay,
        to: minuteOfDay.meta({ description: 'if not after `from`, on the next day' }),
      }),
    )
    .min(1)
    .max(7),
  during: z.enum(['hold', 'drop']).meta({
    description: 'hold: send when the quiet hours end; drop: never send',
  }),
});
export type QuietHours = z.output<typeof quietHours>;

const ruleBody = z.strictObject({
  name,
  enabled: flag.prefault(true),
  events: z.array(z.enum(notificationEvents)).min(1),
  min_severity: z
    .enum(severities)
    .nullable()
    .default(null)
    .meta({ description: 'minimum severity of incidents; null: any' }),
  policy_ids: z
    .array(z.string().max(100))
    .max(100)
    .default([])
    .meta({ description: 'policies whose events match; empty: all' }),
  agents: z.array(z.string().min(1).max(200)).max(100).default([]).meta({
    description: 'agents whose events match; empty: all; a trailing * matches any suffix',
  }),
  budget_percent: z
    .int()
    .min(1)
    .max(100)
    .default(80)
    .meta({ description: 'percentage of a budget at which `budget.reached` occurs' }),
  offline_minutes: z
    .int()
    .min(5)
    .max(20_160)
    .default(60)
    .meta({ description: 'minutes without contact after which `device.offline` occurs' }),
  channel_ids: z.array(z.string().max(100)).min(1).max(20),
  quiet_hours: quietHours.nullable().default(null),
  group_seconds: z.int().min(5).max(86_400).default(60).meta({
    description: 'events with the same cause within this time become one message',
  }),
  decide_by_link: flag.prefault(false).meta({
    description: 'approval requests contain a link to decide without signing in',
  }),
});
export type RuleBody = z.output<typeof ruleBody>;

export const notificationRule = z.object({
  id: z.string(),
  name: z.string(),
  enabled: flag,
  events: jsonOf(z.array(z.enum(notificationEvents))),
  min_severity: z.enum(severities).nullable(),
  policy_ids: jsonStrings,
  agents: jsonStrings,
  budget_percent: z.int(),
  offline_minutes: z.int(),
  channel_ids: jsonStrings,
  quiet_hours: jsonOf(quietHours.nullable()),
  group_seconds: z.int(),
  decide_by_link: flag,
  created_at: timestamp,
  updated_at: timestamp,
});

export const notificationDelivery = z.object({
  id: z.string().meta({ description: '`webhook-id` of its requests, the same in every attempt' }),
  status: z.enum(deliveryStatuses).meta({
    description:
      'failed: no more attempts, but can be sent again; dropped: created during quiet hours',
  }),
  event: z.enum(notificationEvents),
  subject: z.string(),
  event_count: count,
  rule_id: z.string(),
  rule_name: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  channel_kind: z.enum(channelKinds),
  recipient: z.string().meta({ description: 'email address; empty for other kinds' }),
  attempts: count,
  created_at: timestamp,
  due_at: timestamp.meta({ description: 'time of the next attempt, while pending' }),
  sent_at: timestamp.nullable(),
  last_answer: z
    .string()
    .nullable()
    .meta({ description: 'response of the receiver to the last attempt' }),
  last_error: z.string().nullable(),
});

export const decisionRequest = z.object({
  approval_id: z.string(),
  status: z.enum(approvalStatuses),
  agent_name: z.string(),
  workflow_name: z.string(),
  action_type: z.string(),
  agent_id: z.string(),
  user_id: z.string(),
  policy_name: z.string(),
  reason: z.string(),
  deciding_as: z.string().meta({ description: 'name that is recorded as the decider' }),
  created_at: timestamp,
  expires_at: timestamp,
  decided_at: timestamp.nullable(),
  decided_by: z.string().nullable(),
});

const BASE_PATH = '/api/v1/notifications/';
const admin = { auth: 'admin', errors: 'text' } as const;
const params = z.object({ id: z.string() });
const token = z.string().min(1).max(2000);

export const notificationRoutes = routes({
  listChannels: {
    ...admin,
    method: 'GET',
    path: `${BASE_PATH}channels/`,
    summary: 'List the channels that notifications are sent to, by name',
    response: z.object({ results: z.array(notificationChannel) }),
  },
  createChannel: {
    ...admin,
    method: 'POST',
    path: `${BASE_PATH}channels/`,
    summary: 'Add a channel: a signed webhook, Slack, Microsoft Teams or email',
    status: 201,
    body: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('webhook'), name, url }),
      z.strictObject({ kind: z.literal('slack'), name, url }),
      z.strictObject({ kind: z.literal('teams'), name, url }),
      z.strictObject({ kind: z.literal('email'), name, recipients }),
    ]),
    response: notificationChannel.extend({ secret: secret.nullable() }),
  },
  updateChannel: {
    ...admin,
    method: 'PATCH',
    path: `${BASE_PATH}channels/{id}/`,
    summary: 'Rename a channel or change its destination; its kind stays',
    params,
    body: z
      .strictObject({
        name: name.optional(),
        url: url.optional(),
        recipients: recipients.optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'expected `name`, `url` or `recipients`')
      .meta({ examples: [{ name: 'On call' }] }),
    response: notificationChannel,
  },
  rotateChannelSecret: {
    ...admin,
    method: 'POST',
    path: `${BASE_PATH}channels/{id}/rotate-secret/`,
    summary: 'Replace the secret of a webhook; for a day, requests are signed with both',
    params,
    response: z.object({ secret }),
  },
  testChannel: {
    ...admin,
    method: 'POST',
    path: `${BASE_PATH}channels/{id}/test/`,
    summary: 'Send a test message now, and return the response of the receiver',
    params,
    response: z.object({
      delivered: z.boolean(),
      answer: z.string().meta({ description: 'one line: the response or the error' }),
    }),
  },
  deleteChannel: {
    ...admin,
    method: 'DELETE',
    path: `${BASE_PATH}channels/{id}/`,
    summary: 'Delete a channel that no rule uses',
    params,
    status: 204,
    errorStatuses: [409],
    response: z.undefined(),
  },
  listNotificationRules: {
    ...admin,
    method: 'GET',
    path: `${BASE_PATH}rules/`,
    summary: 'List the rules that say which events are sent where, by name',
    response: z.object({ results: z.array(notificationRule) }),
  },
  createNotificationRule: {
    ...admin,
    method: 'POST',
    path: `${BASE_PATH}rules/`,
    summary: 'Add a rule',
    status: 201,
    errorStatuses: [404, 409],
    body: ruleBody,
    response: notificationRule,
  },
  replaceNotificationRule: {
    ...admin,
    method: 'PUT',
    path: `${BASE_PATH}rules/{id}/`,
    summary: 'Replace a rule',
    params,
    body: ruleBody,
    response: notificationRule,
  },
  deleteNotificationRule: {
    ...admin,
    method: 'DELETE',
    path: `${BASE_PATH}rules/{id}/`,
    summary: 'Delete a rule; pending messages are still sent',
    params,
    status: 204,
    response: z.undefined(),
  },
  listDeliveries: {
    ...admin,
    method: 'GET',
    path: `${BASE_PATH}deliveries/`,
    summary: 'List messages with their attempts, newest first; they are kept for 30 days',
    query: z.object({
      ...paging,
      status: z.enum(deliveryStatuses).optional(),
      event: z.enum(notificationEvents).optional(),
      channel_id: z.string().optional(),
      rule_id: z.string().optional(),
    }),
    response: page(notificationDelivery),
  },
  redeliver: {
    ...admin,
    method: 'POST',
    path: `${BASE_PATH}deliveries/{id}/redeliver/`,
    summary: 'Send a message again that was sent or given up',
    params,
    errorStatuses: [409],
    response: notificationDelivery,
  },
  readDecisionLink: {
    auth: 'none',
    errors: 'text',
    method: 'POST',
    path: `${BASE_PATH}decisions/read/`,
    summary: 'The approval request of a decision link in a notification; decides nothing',
    body: z.strictObject({ token }),
    errorStatuses: [403],
    response: decisionRequest,
  },
  decideByLink: {
    auth: 'none',
    errors: 'text',
    method: 'POST',
    path: `${BASE_PATH}decisions/`,
    summary: 'Approve or deny a request with the decision link of a notification, once',
    body: z.strictObject({
      token,
      decision: z.enum(['approved', 'denied']),
      note: z.string().max(2000).default(''),
    }),
    errorStatuses: [403, 409],
    response: decisionRequest,
  },
});

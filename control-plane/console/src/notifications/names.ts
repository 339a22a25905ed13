import type { ChannelKind, NotificationEventName } from '#contract/notifications.ts';
import type { Severity } from '#contract/policy-actions.ts';

export const eventNames: Record<NotificationEventName, string> = {
  'incident.raised': 'Incident raised',
  'approval.requested': 'Approval requested',
  'approval.expiring': 'Approval about to expire',
  'budget.reached': 'Budget share reached',
  'device.offline': 'Device offline',
  'device.problem': 'Device reports a problem',
  'device.enrolled': 'Device enrolled',
  'device.revoked': 'Device revoked',
  'recording.failing': 'Recording loses data',
};

export const kindNames: Record<ChannelKind, string> = {
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  email: 'Email',
};

export const severityNames: Record<Severity, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
};

/** By ISO 8601: 1 is Monday. */
export const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

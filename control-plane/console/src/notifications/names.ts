import { t } from '@lingui/core/macro';
import type { ChannelKind, NotificationEventName } from '#contract/notifications.ts';
import type { Severity } from '#contract/policy-actions.ts';

export const eventNames: Record<NotificationEventName, string> = {
  'incident.raised': t`Incident raised`,
  'approval.requested': t`Approval requested`,
  'approval.expiring': t`Approval about to expire`,
  'budget.reached': t`Budget share reached`,
  'device.offline': t`Device offline`,
  'device.problem': t`Device reports a problem`,
  'device.enrolled': t`Device enrolled`,
  'device.revoked': t`Device revoked`,
  'recording.failing': t`Recording loses data`,
};

export const kindNames: Record<ChannelKind, string> = {
  webhook: t`Webhook`,
  slack: 'Slack',
  teams: 'Microsoft Teams',
  email: t`Email`,
};

export const severityNames: Record<Severity, string> = {
  low: t`Low`,
  medium: t`Medium`,
  high: t`High`,
  critical: t`Critical`,
};

/** Weekdays in ISO 8601 order: index 0 is Monday. */
export const dayNames = [t`Mon`, t`Tue`, t`Wed`, t`Thu`, t`Fri`, t`Sat`, t`Sun`] as const;

import type {
  ChannelKind,
  deliveryStatuses,
  NotificationEventName,
} from '#contract/notifications.ts';
import type { Severity } from '#contract/policy-actions.ts';
import type { OfTenant } from './of-tenant.ts';

export interface NotificationTables {
  notification_channels: NotificationChannelTable;
  notification_rules: NotificationRuleTable;
  notification_events: NotificationEventTable;
  notification_deliveries: NotificationDeliveryTable;
  notification_items: NotificationItemTable;
  notification_marks: NotificationMarkTable;
}

interface NotificationChannelTable extends OfTenant {
  id: string;
  name: string;
  kind: ChannelKind;
  /** The part of the target that is not secret. */
  target: string;
  /** JSON array of e-mail addresses. */
  recipients: string;
  /** JSON with URL and signing secrets, encrypted with SECRET_KEY. */
  sealed: string;
  created_at: number;
  updated_at: number;
}

interface NotificationRuleTable extends OfTenant {
  id: string;
  name: string;
  enabled: number;
  /** JSON array of event names. */
  events: string;
  min_severity: Severity | null;
  /** JSON arrays. An empty one matches all. */
  policy_ids: string;
  agents: string;
  budget_percent: number;
  offline_minutes: number;
  /** JSON array of channel ids. */
  channel_ids: string;
  /** JSON; `null` if there are none. */
  quiet_hours: string;
  group_seconds: number;
  decide_by_link: number;
  created_at: number;
  updated_at: number;
}

/** The outbox. Its rows are written with the event and deleted once they are part of deliveries. */
interface NotificationEventTable extends OfTenant {
  id: string;
  event: NotificationEventName;
  /** Events with the same cause may be combined into one message. */
  cause: string;
  /** JSON of the facts that rules match and messages show. */
  facts: string;
  created_at: number;
}

interface NotificationDeliveryTable extends OfTenant {
  id: string;
  rule_id: string;
  rule_name: string;
  channel_id: string;
  channel_name: string;
  channel_kind: ChannelKind;
  /** An email address; empty for other kinds. */
  recipient: string;
  event: NotificationEventName;
  cause: string;
  subject: string;
  /** The number of events, including those that are not stored as items. */
  event_count: number;
  status: (typeof deliveryStatuses)[number];
  attempts: number;
  created_at: number;
  /** The time of the next attempt. */
  due_at: number;
  /** The process that sends it, and when its lease expires. */
  lease_owner: string;
  lease_until: number;
  sent_at: number | null;
  last_answer: string | null;
  last_error: string | null;
}

/** An event of a delivery. */
interface NotificationItemTable extends OfTenant {
  delivery_id: string;
  event_id: string;
  facts: string;
  created_at: number;
}

/** A state that was notified, so that it causes no further event while it lasts. */
interface NotificationMarkTable extends OfTenant {
  key: string;
  value: string;
  updated_at: number;
}

import type { NotificationEventName } from '#contract/notifications.ts';
import type { EventFacts } from '../notification-event.ts';

/** A message to a channel. */
export interface Message {
  /** The same for every attempt. */
  id: string;
  /** `test` for a test message. */
  event: NotificationEventName | 'test';
  rule: { id: string; name: string } | null;
  /** Includes events that are not among `items`. */
  count: number;
  items: readonly MessageItem[];
}

export interface MessageItem {
  id: string;
  created_at: number;
  facts: EventFacts;
  /** The page of the event in the console. */
  url: string;
  /** The link with which it can be decided without signing in. */
  decide_url: string | null;
  /** The decision that was made in the meantime, such as `approved by ada@example.com`. */
  decided: string | null;
}

import type { NotificationEventName } from '#contract/notifications.ts';
import type { EventFacts } from '../notification-event.ts';

/** A message to a channel. */
export interface Message {
  /** The same in every attempt. */
  id: string;
  /** `test` for a test message. */
  event: NotificationEventName | 'test';
  rule: { id: string; name: string } | null;
  /** Also those that are not among `items`. */
  count: number;
  items: readonly MessageItem[];
}

export interface MessageItem {
  id: string;
  created_at: number;
  facts: EventFacts;
  /** Its page in the console. */
  url: string;
  /** The link by which it can be decided without sign-in. */
  decide_url: string | null;
  /** The decision that was made since: `approved by ada@example.com`. */
  decided: string | null;
}

import type { ChannelKind } from '#contract/notifications.ts';

interface Receiver {
  kind: ChannelKind;
  name: string;
  /** An email address; empty for other kinds. */
  recipient: string;
}

/**
 * Whether the receiver of a message may decide with its link. If a policy names approvers, only
 * they may, and only for an email is the reader known.
 */
export const mayDecideByLink = (
  { kind, recipient }: Receiver,
  approvers: readonly string[],
): boolean =>
  approvers.length === 0 ||
  (kind === 'email' &&
    approvers.some((approver) => approver.toLowerCase() === recipient.toLowerCase()));

/** The name with which a decision is recorded. */
export const deciderName = ({ kind, name, recipient }: Receiver): string =>
  kind === 'email' ? recipient : `channel ${name}`;

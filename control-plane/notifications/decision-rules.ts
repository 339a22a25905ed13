import type { ChannelKind } from '#contract/notifications.ts';

interface Receiver {
  kind: ChannelKind;
  name: string;
  /** An email address; empty for other kinds. */
  recipient: string;
}

/**
 * May the receiver of a message decide with its link? If a policy names approvers, only they may,
 * and only an email has a known reader.
 */
export const mayDecideByLink = (
  { kind, recipient }: Receiver,
  approvers: readonly string[],
): boolean =>
  approvers.length === 0 ||
  (kind === 'email' &&
    approvers.some((approver) => approver.toLowerCase() === recipient.toLowerCase()));

/** The name that a decision is recorded with. */
export const decidingAs = ({ kind, name, recipient }: Receiver): string =>
  kind === 'email' ? recipient : `channel ${name}`;

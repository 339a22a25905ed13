import { t } from '@lingui/core/macro';
import type { Approval } from '../data/approval-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';

/** Approvers are owners and the users named by the policy; without named users, all admins. */
export function mayDecide(
  user: Pick<User, 'id' | 'email' | 'role'>,
  { approvers }: Pick<Approval, 'approvers'>,
): boolean {
  if (user.role === 'owner') return true;
  if (approvers.length === 0) return mayAdminister(user);
  const names = approvers.map((name) => name.toLowerCase());
  return names.includes(user.email.toLowerCase()) || names.includes(user.id.toLowerCase());
}

export const approversText = (approvers: readonly string[]): string =>
  approvers.length === 0 ? t`Admins and owners` : t`${approvers.join(', ')}, and owners`;

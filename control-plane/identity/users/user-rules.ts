import { type Role, roles } from '#contract/route.ts';
import { DAY_MS } from '../../lib/days.ts';

interface Passworded {
  must_change_password: number;
  password_changed_at: number | null;
  created_at: number;
  password_max_age_days: number | null;
}

/** Does this user's password have to be changed before anything else? */
export function isPasswordOld(user: Passworded, now: number): boolean {
  if (user.must_change_password) return true;
  if (user.password_max_age_days === null) return false;
  const since = user.password_changed_at ?? user.created_at;
  return now - since > user.password_max_age_days * DAY_MS;
}

/** Only owners make owners, or touch them. */
export const mayManage = (manager: Role, ...involved: readonly (Role | undefined)[]): boolean =>
  manager === 'owner' || !involved.includes('owner');

interface UserStatus {
  role: Role;
  disabled: number;
}

/** Can a user do something with this change that they could not do before? */
export const isEmpowered = (before: UserStatus, after: UserStatus): boolean =>
  !after.disabled &&
  (Boolean(before.disabled) || roles.indexOf(after.role) > roles.indexOf(before.role));

/** Does a tenant have one owner fewer who can sign in, with this change? */
export const losesOwner = (before: UserStatus, after: UserStatus | null): boolean =>
  isActiveOwner(before) && !(after && isActiveOwner(after));

const isActiveOwner = ({ role, disabled }: UserStatus): boolean => role === 'owner' && !disabled;

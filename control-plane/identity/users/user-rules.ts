import { type Role, roles } from '#contract/route.ts';
import { DAY_MS } from '#lib/time-units.ts';

interface PasswordDates {
  must_change_password: number;
  password_changed_at: number | null;
  created_at: number;
  password_max_age_days: number | null;
}

/** Whether this user must change the password before doing anything else. */
export function isPasswordOld(user: PasswordDates, now: number): boolean {
  if (user.must_change_password) return true;
  if (user.password_max_age_days === null) return false;
  const since = user.password_changed_at ?? user.created_at;
  return now - since > user.password_max_age_days * DAY_MS;
}

/**
 * Whether a manager may create or change users with these roles. Only owners may do so for owners.
 */
export const mayManage = (manager: Role, ...involved: readonly (Role | undefined)[]): boolean =>
  manager === 'owner' || !involved.includes('owner');

interface UserStatus {
  role: Role;
  disabled: number;
}

/** Whether the change lets the user do something that was not possible before. */
export const gainsPrivileges = (before: UserStatus, after: UserStatus): boolean =>
  !after.disabled &&
  (Boolean(before.disabled) || roles.indexOf(after.role) > roles.indexOf(before.role));

/** Whether the change leaves the tenant with one active owner less. */
export const losesOwner = (before: UserStatus, after: UserStatus | null): boolean =>
  isActiveOwner(before) && !(after && isActiveOwner(after));

const isActiveOwner = ({ role, disabled }: UserStatus): boolean => role === 'owner' && !disabled;

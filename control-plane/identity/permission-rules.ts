import { type Permission, permissions, type Role, type Route, roles } from '#contract/route.ts';
import { isPasswordOld } from './users/user-rules.ts';

/** What a credential may do. */
export interface Authority {
  /** As a person: what this role may do, and every weaker one. Null for a program. */
  role: Role | null;
  /** As a program. */
  permissions: readonly Permission[];
}

/** The authority of whoever holds a credential, and how long it lasts. */
export interface Holder extends Authority {
  /** Milliseconds since 1970; Infinity for one that does not expire. */
  until: number;
}

/** What somebody wants to give to a new credential. */
export interface Grant {
  roles?: readonly Role[];
  permissions?: readonly Permission[];
  /** The new credential never expires, as users do not. Otherwise its maker limits its life. */
  lasts?: boolean;
}

/** What of a grant its maker cannot give. */
export interface Excess {
  roles: Role[];
  permissions: Permission[];
  /** The grant would last longer than its maker. */
  outlives: boolean;
}

export const isRole = (name: string): name is Role => roles.some((role) => role === name);

export const isPermission = (name: string): name is Permission =>
  permissions.some((permission) => permission === name);

/** Does a role include another one? Each includes itself and all that are weaker. */
export const includesRole = (held: Role | null, wanted: Role): boolean =>
  held !== null && roles.indexOf(held) >= roles.indexOf(wanted);

export const strongestRole = (held: readonly Role[]): Role | null =>
  roles.findLast((role) => held.includes(role)) ?? null;

/** Programs need one of these to call a route; any permission will do where there is none. */
export const permissionsFor = ({ auth, permission }: Route): readonly Permission[] => {
  if (auth === 'admin') return [permission ?? 'admin', 'admin'];
  return permission ? [permission] : [];
};

/** People need this role, or a stronger one, to call a route. */
export const roleFor = ({ auth, role }: Route): Role =>
  role ?? (auth === 'admin' ? 'admin' : 'viewer');

/** Does a credential with this authority open a route? Device routes take certificates only. */
export function opens({ role, permissions: held }: Authority, route: Route): boolean {
  const asPerson = includesRole(role, roleFor(route));
  const anyOf = permissionsFor(route);
  const asProgram = anyOf.length > 0 ? anyOf.some((one) => held.includes(one)) : held.length > 0;
  switch (route.auth) {
    case 'none':
      return true;
    case 'device':
      return false;
    case 'session':
      return asPerson;
    case 'api-key':
      return asProgram;
    case 'admin':
      return asPerson || asProgram;
  }
}

/**
 * What a credential may give to others. Two kinds of credentials are worth the same, since each
 * makes the other: an administrator, and an API key with every permission. All others give what they
 * have and nothing else.
 */
export function reachOf<A extends Authority>(held: A): A {
  if (includesRole(held.role, 'admin')) return { ...held, permissions };
  const isComplete = permissions.every((one) => held.permissions.includes(one));
  return isComplete ? { ...held, role: 'admin' } : held;
}

/** What of a grant goes beyond its maker. Null when the maker may give all of it. */
export function beyond(maker: Holder, grant: Grant): Excess | null {
  const reach = reachOf(maker);
  const excess = {
    roles: (grant.roles ?? []).filter((role) => !includesRole(reach.role, role)),
    permissions: (grant.permissions ?? []).filter((one) => !reach.permissions.includes(one)),
    outlives: Boolean(grant.lasts) && reach.until !== Infinity,
  };
  const none = excess.roles.length === 0 && excess.permissions.length === 0 && !excess.outlives;
  return none ? null : excess;
}

/** What is left of a grant when its maker may do only this now. */
export function within(
  grant: { roles: readonly Role[]; permissions: readonly Permission[] },
  maker: Authority,
): { roles: Role[]; permissions: Permission[] } {
  const reach = reachOf(maker);
  return {
    roles: grant.roles.filter((role) => includesRole(reach.role, role)),
    permissions: grant.permissions.filter((one) => reach.permissions.includes(one)),
  };
}

interface StoredKey {
  permissions: readonly Permission[];
  expires_at: number | null;
  revoked_at: number | null;
}

/** What an API key may do now. Null for one that is revoked or has expired. */
export function holderOfKey(
  { permissions: held, expires_at, revoked_at }: StoredKey,
  now: number,
): Holder | null {
  const until = expires_at ?? Infinity;
  return revoked_at !== null || until <= now ? null : { role: null, permissions: held, until };
}

type StoredUser = Parameters<typeof isPasswordOld>[0] & {
  role: Role;
  disabled: number;
  oidc_subject: string | null;
};

/**
 * What a user may do now. Null for one that is disabled. One who has to change the password first
 * may do nothing, unless the company's provider lets them in without a password.
 */
export function holderOfUser(user: StoredUser, now: number): Holder | null {
  if (user.disabled) return null;
  const isHeldUp = user.oidc_subject === null && isPasswordOld(user, now);
  return { role: isHeldUp ? null : user.role, permissions: [], until: Infinity };
}

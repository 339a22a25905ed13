import { type Access, type Permission, permissions, type Role, roles } from '#contract/route.ts';
import { isPasswordOld } from './users/user-rules.ts';

/** What a credential may do. */
export interface Privileges {
  /** The role of a person, which includes every weaker role. Null for a program. */
  role: Role | null;
  /** Permissions of a program. */
  permissions: readonly Permission[];
}

/** The privileges of a credential that is valid now, and its expiry. */
export interface CurrentPrivileges extends Privileges {
  /** In milliseconds since 1970; Infinity if it does not expire. */
  until: number;
}

/** The privileges requested for a new credential. */
export interface Grant {
  roles?: readonly Role[];
  permissions?: readonly Permission[];
  /**
   * True if the new credential never expires, as is the case for a user. Otherwise its creator
   * limits its lifetime.
   */
  neverExpires?: boolean;
}

/** The part of a grant that its creator cannot give. */
export interface ExcessGrant {
  roles: Role[];
  permissions: Permission[];
  /** Whether the grant would outlive its creator. */
  outlives: boolean;
}

export const isRole = (name: string): name is Role => roles.some((role) => role === name);

export const isPermission = (name: string): name is Permission =>
  permissions.some((permission) => permission === name);

/** Whether a role includes another one. Each role includes itself and all weaker ones. */
export const includesRole = (held: Role | null, required: Role): boolean =>
  held !== null && roles.indexOf(held) >= roles.indexOf(required);

export const strongestRole = (held: readonly Role[]): Role | null =>
  roles.findLast((role) => held.includes(role)) ?? null;

/**
 * Returns the permissions of which a program needs one to call a route. If there are none, any
 * permission is accepted.
 */
export const permissionsFor = ({ auth, permission }: Access): readonly Permission[] => {
  if (auth === 'admin') return [permission ?? 'admin', 'admin'];
  return permission ? [permission] : [];
};

/** Returns the weakest role with which a person can call a route. */
export const roleFor = ({ auth, role }: Access): Role =>
  role ?? (auth === 'admin' ? 'admin' : 'viewer');

/**
 * Whether a credential with these privileges can call a route. Device routes accept only
 * certificates.
 */
export function mayCall({ role, permissions: held }: Privileges, access: Access): boolean {
  const asPerson = includesRole(role, roleFor(access));
  const anyOf = permissionsFor(access);
  const asProgram = anyOf.length > 0 ? anyOf.some((one) => held.includes(one)) : held.length > 0;
  switch (access.auth) {
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
 * Returns the privileges that a credential may grant. An administrator and an API key with all
 * permissions are equivalent, since each can create the other. All other credentials grant only
 * what they hold.
 */
export function grantablePrivileges<A extends Privileges>(held: A): A {
  if (includesRole(held.role, 'admin')) return { ...held, permissions };
  const isComplete = permissions.every((one) => held.permissions.includes(one));
  return isComplete ? { ...held, role: 'admin' } : held;
}

/**
 * Returns the part of a grant that exceeds its creator's privileges; null if all of it may be
 * granted.
 */
export function excessOf(maker: CurrentPrivileges, grant: Grant): ExcessGrant | null {
  const reach = grantablePrivileges(maker);
  const excess = {
    roles: (grant.roles ?? []).filter((role) => !includesRole(reach.role, role)),
    permissions: (grant.permissions ?? []).filter((one) => !reach.permissions.includes(one)),
    outlives: Boolean(grant.neverExpires) && reach.until !== Infinity,
  };
  const none = excess.roles.length === 0 && excess.permissions.length === 0 && !excess.outlives;
  return none ? null : excess;
}

/** Reduces a grant to what its creator may currently give. */
export function reduceGrant(
  grant: { roles: readonly Role[]; permissions: readonly Permission[] },
  maker: Privileges,
): { roles: Role[]; permissions: Permission[] } {
  const reach = grantablePrivileges(maker);
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

/** Returns the current privileges of an API key; null if it is revoked or expired. */
export function privilegesOfKey(
  { permissions: held, expires_at, revoked_at }: StoredKey,
  now: number,
): CurrentPrivileges | null {
  const until = expires_at ?? Infinity;
  return revoked_at !== null || until <= now ? null : { role: null, permissions: held, until };
}

type StoredUser = Parameters<typeof isPasswordOld>[0] & {
  role: Role;
  disabled: number;
  oidc_subject: string | null;
};

/**
 * Returns the current privileges of a user; null if the user is disabled. A user who must change the
 * password first, and cannot sign in through the company's provider instead, has no role.
 */
export function privilegesOfUser(user: StoredUser, now: number): CurrentPrivileges | null {
  if (user.disabled) return null;
  const mustChange = user.oidc_subject === null && isPasswordOld(user, now);
  return { role: mustChange ? null : user.role, permissions: [], until: Infinity };
}

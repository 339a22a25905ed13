import { ApiError } from '#contract/errors.ts';
import { type Permission, permissions as allPermissions } from '#contract/route.ts';
import type { Context } from '../context.ts';
import type { AdminCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';
import { refuseSubUser } from './is-sub-user.ts';
import { findApiKeyById } from './api-keys/api-key-queries.ts';
import { findUserStatus } from './users/user-queries.ts';
import {
  excessOf,
  type ExcessGrant,
  type Grant,
  type CurrentPrivileges,
  privilegesOfKey,
  privilegesOfUser,
} from './permission-rules.ts';

/**
 * The one rule for all code that creates credentials: a credential has no more privileges than its
 * creator. Returns the creator's current privileges, for credentials that must expire with it.
 *
 * Reads the creator from the database, in the transaction that stores the credential, because
 * another process may just have revoked a key that this one still caches.
 *
 * @throws ApiError `forbidden` that names the permissions the caller lacks, or for a sub-user;
 * `unauthorized` if the caller's own credential has ended
 */
export async function refuseExcessGrant(
  db: Db,
  { now }: Pick<Context, 'now'>,
  caller: AdminCaller,
  grant: Grant,
): Promise<CurrentPrivileges> {
  refuseSubUser(caller);
  const maker = await privilegesOf(db, caller, now());
  if (!maker)
    throw new ApiError(
      'userId' in caller ? 'session_ended' : 'invalid_credentials',
      'your own credential has expired or was revoked',
    );
  const excess = excessOf(maker, grant);
  if (excess)
    throw new ApiError('missing_permission', lineFor(caller, maker, excess), detailsOf(excess));
  return maker;
}

async function privilegesOf(
  db: Db,
  caller: AdminCaller,
  now: number,
): Promise<CurrentPrivileges | null> {
  if ('userId' in caller) {
    const user = await findUserStatus(db, caller.tenantId, caller.userId);
    return user ? privilegesOfUser(user, now) : null;
  }
  const key = await findApiKeyById(db, caller.tenantId, caller.keyId);
  if (!key) return null;
  return privilegesOfKey({ ...key, permissions: JSON.parse(key.permissions) as Permission[] }, now);
}

function lineFor(
  caller: AdminCaller,
  maker: CurrentPrivileges,
  { roles, permissions }: ExcessGrant,
): string {
  const [role] = roles;
  if (role) return `you cannot grant the role "${role}": ${reasonFor(caller, maker)}`;
  return permissions.length > 0
    ? `you do not have these permissions yourself: ${permissions.join(', ')}`
    : 'your own API key expires: it cannot create a credential that does not';
}

function reasonFor(caller: AdminCaller, { role, permissions }: CurrentPrivileges): string {
  if ('userId' in caller) return `your role is "${role}"`;
  const lacks = allPermissions.filter((one) => !permissions.includes(one));
  const more = 'it exceeds the permissions of your API key';
  return lacks.length > 0 ? `${more}, which lacks ${lacks.join(', ')}` : more;
}

/** Returns the details of an error. Undefined members are omitted from JSON. */
const detailsOf = ({ roles: [role], permissions: [permission] }: ExcessGrant) => ({
  role,
  permission,
});

import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import type { Role } from '#contract/route.ts';
import { type ManagedUser, managedUser } from '#contract/users.ts';
import type { Context } from '../../context.ts';
import type { AdminCaller } from '../../http/caller.ts';
import { usersLock } from '../../storage/locks.ts';
import type { Db } from '../../storage/open.ts';
import type { Tx } from '../../storage/transaction.ts';
import { refuseExcessGrant } from '../refuse-excess-grant.ts';
import { refuseSubUser } from '../is-sub-user.ts';
import { findUser, hasOtherOwner } from './user-queries.ts';
import { losesOwner, mayManage } from './user-rules.ts';

/**
 * @throws ApiError `not_found`, also for a user of another tenant
 */
export async function requireUser(db: Db, tenantId: string, id: string): Promise<ManagedUser> {
  const user = await findUser(db, tenantId, id);
  if (!user) throw new ApiError('not_found', `there is no user ${id}`);
  return user;
}

/**
 * Checks that the caller may manage users with these roles. An API key has the privileges of an
 * administrator, never of an owner.
 *
 * @throws ApiError `forbidden`
 */
export function requireMayManage(caller: AdminCaller, ...involved: (Role | undefined)[]): void {
  refuseSubUser(caller);
  if (!mayManage('userId' in caller ? caller.role : 'admin', ...involved))
    throw new ApiError('missing_permission', 'only an owner can create or change owners');
}

/**
 * Checks that the caller may grant a role. A user is a credential with a role that does not expire.
 *
 * @throws ApiError `forbidden`
 */
export const requireMayGrant = async (
  db: Db,
  context: Context,
  caller: AdminCaller,
  role: Role,
): Promise<void> =>
  void (await refuseExcessGrant(db, context, caller, { roles: [role], neverExpires: true }));

/**
 * Checks that the caller may reset a user's password, which lets the caller sign in as that user.
 *
 * @throws ApiError `not_found`, `forbidden`
 */
export async function requireMayReset(
  db: Db,
  context: Context,
  caller: AdminCaller,
  id: string,
): Promise<void> {
  const { role } = await requireUser(db, caller.tenantId, id);
  requireMayManage(caller, role);
  await requireMayGrant(db, context, caller, role);
}

/**
 * Loads a user that the caller may change, optionally to the given role. Locks the tenant's users
 * until the transaction ends.
 */
export async function requireManaged(
  tx: Tx,
  caller: AdminCaller,
  id: string,
  role?: Role,
): Promise<ManagedUser> {
  await tx.lock(usersLock(caller.tenantId));
  const user = await requireUser(tx.db, caller.tenantId, id);
  requireMayManage(caller, user.role, role);
  return user;
}

/**
 * Checks that an owner remains. Requires the lock of `requireManaged`.
 *
 * @throws ApiError `conflict`
 */
export async function requireRemainingOwner(
  tx: Tx,
  tenantId: string,
  before: ManagedUser,
  after: ManagedUser | null,
): Promise<void> {
  if (losesOwner(before, after) && !(await hasOtherOwner(tx.db, tenantId, before.id)))
    throw new ApiError('last_owner', 'the last owner cannot be removed, demoted or disabled');
}

/** Returns a user in the form of the API. */
export const userView = (user: ManagedUser) => z.encode(managedUser, user);

export const userChange = (verb: string, id: string) => ({
  action: `user.${verb}`,
  resource_type: 'user',
  resource_id: id,
});

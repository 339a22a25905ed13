import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import type { Role } from '#contract/route.ts';
import { type ManagedUser, managedUser } from '#contract/users.ts';
import type { Context } from '../../context.ts';
import type { AdminCaller } from '../../http/caller.ts';
import type { Db, Trx } from '../../storage/open.ts';
import { refuseBeyond } from '../refuse-beyond.ts';
import { refuseSubUser } from '../is-sub-user.ts';
import { findUser, hasOtherOwner } from './user-queries.ts';
import { losesOwner, mayManage } from './user-rules.ts';

/** @throws ApiError `not_found`, also for a user of another tenant */
export async function requireUser(db: Db, tenantId: string, id: string): Promise<ManagedUser> {
  const user = await findUser(db, tenantId, id);
  if (!user) throw new ApiError('not_found', `there is no user ${id}`);
  return user;
}

/** A program administers as an administrator does, never as an owner. @throws ApiError `forbidden` */
export function requireMayManage(caller: AdminCaller, ...involved: (Role | undefined)[]): void {
  refuseSubUser(caller);
  if (!mayManage('userId' in caller ? caller.role : 'admin', ...involved))
    throw new ApiError('forbidden', 'only an owner makes or changes owners');
}

/** A user is a credential with a role, which does not expire. @throws ApiError `forbidden` */
export const requireMayEmpower = async (
  context: Context,
  db: Db,
  caller: AdminCaller,
  role: Role,
): Promise<void> => void (await refuseBeyond(context, db, caller, { roles: [role], lasts: true }));

/** Whoever knows a new password can sign in with it. @throws ApiError `not_found`, `forbidden` */
export async function requireMayReset(
  context: Context,
  db: Db,
  caller: AdminCaller,
  id: string,
): Promise<void> {
  const { role } = await requireUser(db, caller.tenantId, id);
  requireMayManage(caller, role);
  await requireMayEmpower(context, db, caller, role);
}

/**
 * A user whom the caller may change, perhaps to this role. Until the transaction ends, nobody else
 * changes users of the tenant.
 */
export async function requireManaged(
  { storage }: Context,
  trx: Trx,
  caller: AdminCaller,
  id: string,
  role?: Role,
): Promise<ManagedUser> {
  await storage.lock(trx, `users ${caller.tenantId}`);
  const user = await requireUser(trx, caller.tenantId, id);
  requireMayManage(caller, user.role, role);
  return user;
}

/** Under the lock of `requireManaged`. @throws ApiError `conflict` */
export async function keepAnOwner(
  trx: Trx,
  tenantId: string,
  before: ManagedUser,
  after: ManagedUser | null,
): Promise<void> {
  if (losesOwner(before, after) && !(await hasOtherOwner(trx, tenantId, before.id)))
    throw new ApiError('conflict', 'the last owner cannot be removed, demoted or disabled');
}

/** As the API shows it. */
export const userView = (user: ManagedUser) => z.encode(managedUser, user);

export const change = (what: string, id: string) => ({
  action: `user.${what}`,
  resource_type: 'user',
  resource_id: id,
});

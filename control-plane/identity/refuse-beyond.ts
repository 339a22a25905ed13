import { ApiError } from '#contract/errors.ts';
import { type Permission, permissions as allPermissions } from '#contract/route.ts';
import type { Context } from '../context.ts';
import type { AdminCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';
import { refuseSubUser } from './is-sub-user.ts';
import { findApiKeyById } from './queries.ts';
import { findUserStatus } from './permission-queries.ts';
import {
  beyond,
  type Excess,
  type Grant,
  type Holder,
  holderOfKey,
  holderOfUser,
} from './permission-rules.ts';

/**
 * The one rule for everything that makes a credential: it can do no more than its maker. Returns
 * what the maker may do now, for what has to expire with it.
 *
 * The maker is read from the database, in the transaction that stores the credential: another
 * process may have revoked a key a moment ago that this one still remembers.
 *
 * @throws ApiError `forbidden` naming what the caller cannot give, or for a sub-user;
 *   `unauthorized` when the caller's own credential has ended
 */
export async function refuseBeyond(
  { now }: Pick<Context, 'now'>,
  db: Db,
  caller: AdminCaller,
  grant: Grant,
): Promise<Holder> {
  refuseSubUser(caller);
  const maker = await holderOf(db, caller, now());
  if (!maker) throw new ApiError('unauthorized', 'your own credential has ended');
  const excess = beyond(maker, grant);
  if (excess) throw new ApiError('forbidden', lineFor(caller, maker, excess), detailsOf(excess));
  return maker;
}

async function holderOf(db: Db, caller: AdminCaller, now: number): Promise<Holder | null> {
  if ('userId' in caller) {
    const user = await findUserStatus(db, caller.tenantId, caller.userId);
    return user ? holderOfUser(user, now) : null;
  }
  const key = await findApiKeyById(db, caller.tenantId, caller.keyId);
  if (!key) return null;
  return holderOfKey({ ...key, permissions: JSON.parse(key.permissions) as Permission[] }, now);
}

function lineFor(caller: AdminCaller, maker: Holder, { roles, permissions }: Excess): string {
  const [role] = roles;
  if (role) return `you cannot give the role "${role}": ${reasonFor(caller, maker)}`;
  return permissions.length > 0
    ? `you cannot give what you lack: ${permissions.join(', ')}`
    : 'your own API key expires: it cannot make what does not';
}

function reasonFor(caller: AdminCaller, { role, permissions }: Holder): string {
  if ('userId' in caller) return `yours is "${role}"`;
  const lacks = allPermissions.filter((one) => !permissions.includes(one));
  const more = 'it may do more than your API key';
  return lacks.length > 0 ? `${more}, which lacks ${lacks.join(', ')}` : more;
}

/** Undefined members are left out on the wire. */
const detailsOf = ({ roles: [role], permissions: [permission] }: Excess) => ({ role, permission });

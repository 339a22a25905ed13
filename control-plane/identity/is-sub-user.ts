import { ApiError } from '#contract/errors.ts';
import type { AdminCaller } from '../http/caller.ts';

/**
 * Customers choose the ids of their users; the prefix keeps them distinct from ids of our users and
 * keys.
 */
const ID_PREFIX = 'sub_user:';

/** Used in place of a user id, and of a key id where a token acts as a key. */
export const callerIdOf = (subUserId: string): string => `${ID_PREFIX}${subUserId}`;

/** Is the caller a sub-user token, rather than a console user or an API key? */
export const isSubUser = (caller: AdminCaller): boolean =>
  ('userId' in caller ? caller.userId : caller.keyId).startsWith(ID_PREFIX);

/**
 * Display name of a caller in records it creates or changes. The email of a sub-user is set by the
 * issuer of the token and could be the email of one of our users, so it is not used.
 */
export function nameOf(caller: AdminCaller): string {
  if (!('userId' in caller)) return caller.keyId;
  return isSubUser(caller) ? caller.userId : caller.email;
}

/**
 * Rejects sub-users: a temporary token must not create credentials that outlive it.
 *
 * @throws ApiError `forbidden`
 */
export function refuseSubUser(caller: AdminCaller): void {
  if (isSubUser(caller))
    throw new ApiError(
      'missing_permission',
      'a sub-user token cannot grant access: use an API key or a user account',
    );
}

import { ApiError } from '#contract/errors.ts';
import type { AdminCaller } from '../http/caller.ts';

/**
 * The prefix of sub-user ids. Customers choose the ids of their users, so it keeps these distinct
 * from ids of our users and keys.
 */
const ID_PREFIX = 'sub_user:';

/**
 * Returns the id that is used instead of a user id, or instead of a key id if a token acts as a
 * key.
 */
export const callerIdOf = (subUserId: string): string => `${ID_PREFIX}${subUserId}`;

/** Whether the caller is a sub-user token, rather than a console user or an API key. */
export const isSubUser = (caller: AdminCaller): boolean =>
  ('userId' in caller ? caller.userId : caller.keyId).startsWith(ID_PREFIX);

/**
 * Returns the display name of a caller for records it creates or changes. The email of a sub-user
 * is not used, because the issuer of the token sets it and it could be the email of one of our
 * users.
 */
export function displayNameOf(caller: AdminCaller): string {
  if (!('userId' in caller)) return caller.keyId;
  return isSubUser(caller) ? caller.userId : caller.email;
}

/**
 * Refuses sub-users, because a temporary token must not create credentials that outlive it.
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

import { ApiError } from '#contract/errors.ts';
import type { AdminCaller } from '../http/caller.ts';

/** Customers choose the ids of their users: none may be taken for that of a user or key of ours. */
const ID_PREFIX = 'sub_user:';

/** Stands for a user's id, and for a key's where a token is used as one. */
export const callerIdOf = (subUserId: string): string => `${ID_PREFIX}${subUserId}`;

/** Does a sub-user's token call, rather than a user of the console or a key? */
export const isSubUser = (caller: AdminCaller): boolean =>
  ('userId' in caller ? caller.userId : caller.keyId).startsWith(ID_PREFIX);

/**
 * How somebody is named beside what they made or changed. The email of a sub-user is whatever the
 * issuer of the token says, such as that of a user of ours.
 */
export function nameOf(caller: AdminCaller): string {
  if (!('userId' in caller)) return caller.keyId;
  return isSubUser(caller) ? caller.userId : caller.email;
}

/** Whoever is let in for a time lets nobody in, for longer than that. @throws ApiError `forbidden` */
export function refuseSubUser(caller: AdminCaller): void {
  if (isSubUser(caller))
    throw new ApiError('forbidden', "a sub-user's token gives nobody access: keys and users do");
}

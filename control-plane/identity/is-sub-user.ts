import { ApiError } from '#contract/errors.ts';
import type { AdminCaller } from '../http/call.ts';

/** Customers choose the ids of their users: none may be taken for that of a user of ours. */
const ID_PREFIX = 'sub_user:';
/** Of a session's id, which stands for a key's where a token is used as one. */
export const SESSION_PREFIX = 'sus';

export const callerIdOf = (subUserId: string): string => `${ID_PREFIX}${subUserId}`;

/** Does a sub-user's token call, rather than a user of the console or a key? */
export const isSubUser = (caller: AdminCaller): boolean =>
  'userId' in caller
    ? caller.userId.startsWith(ID_PREFIX)
    : caller.keyId.startsWith(`${SESSION_PREFIX}_`);

/** Whoever is let in for a time lets nobody in, for longer than that. @throws ApiError `forbidden` */
export function refuseSubUser(caller: AdminCaller): void {
  if (isSubUser(caller))
    throw new ApiError('forbidden', "a sub-user's token gives nobody access: keys and users do");
}

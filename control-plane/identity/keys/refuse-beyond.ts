import { ApiError } from '#contract/errors.ts';
import type { Permission } from '#contract/route.ts';
import type { AdminCaller } from '../../http/call.ts';
import { refuseSubUser } from '../is-sub-user.ts';
import { beyond } from './rules.ts';

/**
 * Who makes a key gives it only what is theirs to give.
 *
 * @throws ApiError `forbidden` naming the permissions that the caller lacks, or for a sub-user
 */
export function refuseBeyond(caller: AdminCaller, wanted: readonly Permission[]): void {
  refuseSubUser(caller);
  const missing = beyond(caller, wanted);
  if (missing.length > 0)
    throw new ApiError('forbidden', `you cannot give what you lack: ${missing.join(', ')}`);
}

import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Storage } from '../storage/open.ts';
import { createAllowance, type Take } from '../enrollment/allowance.ts';

/** More than many agents on one device need; a device lets calls pass if its check is rejected. */
const ofDevice = { burst: 200, everyMs: 50 };

// Handlers are shared by the process, but limits belong to one control plane in it.
const limiters = new WeakMap<Storage, Take>();

/** Counts a check in this process. @throws ApiError `rate_limited` */
export function limitChecks(context: Context, { deviceId }: DeviceCaller): void {
  const { storage } = context;
  const take = limiters.get(storage) ?? createAllowance(ofDevice);
  limiters.set(storage, take);
  const wait = take(deviceId, context.now());
  if (wait > 0)
    throw new ApiError('rate_limited', 'too many policy checks from this device', {
      retry_after: Math.ceil(wait / 1000),
    });
}

import { ApiError } from '#contract/errors.ts';
import { createTokenBuckets } from '../lib/token-bucket.ts';
import type { DeviceCaller } from '../http/caller.ts';

/**
 * Limits the policy checks of devices: of captured calls, and of tool calls. The limit is higher than
 * many agents on one device need. To the device, a rejected check is one without an answer.
 */
const deviceAllowance = { burst: 200, everyMs: 50 };

/**
 * Counts a check in this process.
 *
 * @throws ApiError `rate_limited`
 */
export type PolicyCheckRateLimit = (device: DeviceCaller, now: number) => void;

export function createPolicyCheckRateLimit(): PolicyCheckRateLimit {
  const take = createTokenBuckets(deviceAllowance);
  return ({ deviceId }, now) => {
    const wait = take(deviceId, now);
    if (wait > 0)
      throw new ApiError('rate_limited', 'too many policy checks from this device', {
        retry_after: Math.ceil(wait / 1000),
      });
  };
}

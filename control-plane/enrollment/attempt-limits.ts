import { ApiError } from '#contract/errors.ts';
import { createTokenBuckets } from '../lib/token-bucket.ts';

/** The limit for one computer, which retries a few times at once and can then wait. */
const ofHardware = { burst: 10, everyMs: 30_000 };
/**
 * The limit for a fleet, which enrolls in one morning, from one address and with the key of one
 * profile.
 */
const ofFleet = { burst: 3000, everyMs: 20 };
/** The minimum retry interval after a rejection, even if capacity is available sooner. */
const MIN_RETRY_MS = 30_000;

export interface Attempt {
  tenantId: string;
  keyId: string;
  hardwareId: string;
  address: string;
}

/**
 * Counts an attempt to enroll, per process.
 *
 * @throws ApiError `rate_limited`
 */
export type LimitAttempts = (attempt: Attempt, now: number) => void;

export function createAttemptLimits(): LimitAttempts {
  const takeOfHardware = createTokenBuckets(ofHardware);
  const takeOfKey = createTokenBuckets(ofFleet);
  const takeOfAddress = createTokenBuckets(ofFleet);
  return (attempt, now) => {
    const counted = [
      ['this computer', takeOfHardware, `${attempt.tenantId} ${attempt.hardwareId}`],
      ['this API key', takeOfKey, attempt.keyId],
      ['this address', takeOfAddress, attempt.address],
    ] as const;
    for (const [subject, take, name] of counted) {
      const wait = take(name, now);
      if (wait > 0)
        throw tooManyRequests(
          `too many enrollment attempts of ${subject}`,
          Math.max(wait, MIN_RETRY_MS),
        );
    }
  };
}

export function tooManyRequests(reason: string, waitMs: number): ApiError {
  const retry_after = Math.ceil(waitMs / 1000);
  return new ApiError('rate_limited', `${reason}: try again in ${retry_after} seconds`, {
    retry_after,
  });
}

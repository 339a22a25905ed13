import { ApiError } from '#contract/errors.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import { createTokenBuckets } from '../lib/token-bucket.ts';
import type { Db } from '../storage/open.ts';
import { countNewDevices } from './queries.ts';

/** The limit for one computer, which retries a few times at once and can then wait. */
const ofHardware = { burst: 10, everyMs: 30_000 };
/**
 * The limit for a fleet, which enrolls in one morning, from one address and with the key of one
 * profile.
 */
const ofFleet = { burst: 3000, everyMs: 20 };
/** The minimum retry interval after a rejection, even if capacity is available sooner. */
const MIN_RETRY_MS = 30_000;

export interface EnrollmentAttempt {
  tenantId: string;
  keyId: string;
  hardwareId: string;
  address: string;
}

/**
 * Counts an attempt to enroll, in this process.
 *
 * @throws ApiError `rate_limited`
 */
export type EnrollmentRateLimit = (attempt: EnrollmentAttempt, now: number) => void;

export function createEnrollmentRateLimit(): EnrollmentRateLimit {
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

/**
 * Limits new devices per key and hour, because a copy of a profile can enroll devices that do not
 * exist. They are counted in the database, across all processes. Concurrent enrollments may exceed
 * the limit by their number.
 *
 * @throws ApiError `rate_limited`
 */
export async function checkNewDeviceRateLimit(
  db: Db,
  { tenantId, keyId }: Pick<EnrollmentAttempt, 'tenantId' | 'keyId'>,
  mostPerHour: number,
  now: number,
): Promise<void> {
  const recent = await countNewDevices(db, tenantId, keyId, now - HOUR_MS);
  if (recent >= mostPerHour)
    throw tooManyRequests(
      `this API key has enrolled ${recent} new devices within an hour`,
      300_000,
    );
}

function tooManyRequests(reason: string, waitMs: number): ApiError {
  const retry_after = Math.ceil(waitMs / 1000);
  return new ApiError('rate_limited', `${reason}: try again in ${retry_after} seconds`, {
    retry_after,
  });
}

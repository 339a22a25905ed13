import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { Storage } from '../storage/open.ts';
import { createAllowance, type Take } from './allowance.ts';
import { countNewDevices } from './queries.ts';

const HOUR_MS = 3_600_000;

/** A computer retries a few times at once; then it can wait. */
const ofHardware = { burst: 10, everyMs: 30_000 };
/** A fleet enrolls in one morning, from one address and with one profile's key. */
const ofFleet = { burst: 3000, everyMs: 20 };
/** Minimum retry interval after a rejection, although capacity frees up sooner. */
const SOONEST_MS = 30_000;

interface Limits {
  hardware: Take;
  key: Take;
  address: Take;
}

// Handlers are shared by the process; counters belong to one control plane in it.
const limitsByStorage = new WeakMap<Storage, Limits>();

function limitsOf(storage: Storage): Limits {
  const limits = limitsByStorage.get(storage) ?? {
    hardware: createAllowance(ofHardware),
    key: createAllowance(ofFleet),
    address: createAllowance(ofFleet),
  };
  limitsByStorage.set(storage, limits);
  return limits;
}

interface Attempt {
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
export function limitAttempts(context: Context, attempt: Attempt): void {
  const limits = limitsOf(context.storage);
  const now = context.now();
  const counted = [
    ['this computer', limits.hardware, `${attempt.tenantId} ${attempt.hardwareId}`],
    ['this API key', limits.key, attempt.keyId],
    ['this address', limits.address, attempt.address],
  ] as const;
  for (const [subject, take, name] of counted) {
    const wait = take(name, now);
    if (wait > 0)
      throw tooMany(`too many enrollment attempts of ${subject}`, Math.max(wait, SOONEST_MS));
  }
}

/**
 * A copy of a profile can enroll devices that do not exist, so new devices per key and hour are
 * limited. Counted in the database, across all processes; concurrent enrollments may exceed the
 * limit by their number.
 *
 * @throws ApiError `rate_limited`
 */
export async function limitNewDevices(
  context: Context,
  db: Parameters<typeof countNewDevices>[0],
  { tenantId, keyId }: Pick<Attempt, 'tenantId' | 'keyId'>,
  mostPerHour: number,
): Promise<void> {
  const recent = await countNewDevices(db, tenantId, keyId, context.now() - HOUR_MS);
  if (recent >= mostPerHour)
    throw tooMany(`this API key has enrolled ${recent} new devices within an hour`, 300_000);
}

const tooMany = (reason: string, waitMs: number): ApiError => {
  const retry_after = Math.ceil(waitMs / 1000);
  return new ApiError('rate_limited', `${reason}: try again in ${retry_after} seconds`, {
    retry_after,
  });
};

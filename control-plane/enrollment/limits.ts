import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { Storage } from '../storage/open.ts';
import { createAllowance, type Take } from './allowance.ts';
import { countNewDevices } from './queries.ts';

const HOUR_MS = 3_600_000;

/** A computer tries a few times in a row; then it can wait. */
const ofHardware = { burst: 10, everyMs: 30_000 };
/** A fleet comes in one morning, from one address and with one profile's key. */
const ofFleet = { burst: 3000, everyMs: 20 };
/** Whoever is refused does not come back before that: the place of one is soon free. */
const SOONEST_MS = 30_000;

interface Limits {
  hardware: Take;
  key: Take;
  address: Take;
}

// The handlers are of the process, and what they count is of one control plane in it.
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

/** Counts an attempt to enroll, in this process. @throws ApiError `rate_limited` */
export function limitAttempts(context: Context, attempt: Attempt): void {
  const limits = limitsOf(context.storage);
  const now = context.now();
  const counted = [
    ['this computer', limits.hardware, `${attempt.tenantId} ${attempt.hardwareId}`],
    ['this API key', limits.key, attempt.keyId],
    ['this address', limits.address, attempt.address],
  ] as const;
  for (const [what, take, name] of counted) {
    const wait = take(name, now);
    if (wait > 0) throw tooMany(`${what} enrolls too often`, Math.max(wait, SOONEST_MS));
  }
}

/**
 * Whoever has a copy of a profile could enroll devices that are not there: so many an hour and no
 * more. Counted in the database, so it holds over all processes; those that enroll in the same
 * instant may exceed it by their number.
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

const tooMany = (what: string, waitMs: number): ApiError => {
  const retry_after = Math.ceil(waitMs / 1000);
  return new ApiError('rate_limited', `${what}: try again in ${retry_after} seconds`, {
    retry_after,
  });
};

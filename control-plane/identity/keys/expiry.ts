import { ApiError } from '#contract/errors.ts';
import type { AdminCaller } from '../../http/call.ts';
import type { Db } from '../../storage/open.ts';
import { findApiKeyById } from '../queries.ts';

/** When the key that calls expires; null for one that never does, and for people. */
export async function expiryOfMaker(db: Db, caller: AdminCaller): Promise<number | null> {
  if ('userId' in caller) return null;
  const key = await findApiKeyById(db, caller.tenantId, caller.keyId);
  return key?.expires_at ?? null;
}

/** No key makes one that outlives it. @throws ApiError `validation_error` naming the field */
export async function refuseLonger(
  db: Db,
  caller: AdminCaller,
  expiresAt: number | null,
): Promise<void> {
  const longest = await expiryOfMaker(db, caller);
  if (longest !== null && (expiresAt ?? Infinity) > longest)
    throw new ApiError(
      'validation_error',
      `expires_at: expected no later than ${new Date(longest).toISOString()}, when your own key expires`,
    );
}

import { networkOf } from '../networks.ts';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import { type Account, clearFailures, countFailure } from './sign-in-queries.ts';

const WINDOW_MS = 15 * 60 * 1000;
/** The maximum number of failed attempts at one account from one network. */
const OF_ACCOUNT = 10;
/**
 * The maximum number of failed attempts at any account from one network, against trying one
 * password with many accounts.
 */
const OF_NETWORK = 100;

export const signInRateLimits = {
  of_account: OF_ACCOUNT,
  of_network: OF_NETWORK,
  window_seconds: WINDOW_MS / 1000,
};

/**
 * Runs a sign-in attempt within the rate limits. An attempt that throws counts as failed, and a
 * successful one clears the failures of the account. Attempts are serialized (`password/fair-queue.ts`),
 * so the outcome of the previous one is known.
 *
 * @throws ApiError `too_many_failures`
 */
export async function withSignInRateLimits<T>(
  context: Context,
  { email, address }: { email: string; address: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const account = { email, network: networkOf(address) };
  const refusal = await reserve(context, account);
  if (refusal) throw refusal;
  const result = await attempt();
  await context.storage.transaction((tx) => clearFailures(tx, account));
  return result;
}

/** Counts the attempt as failed; returns the error if the limit is reached. */
async function reserve(context: Context, account: Account): Promise<ApiError | null> {
  const now = context.now();
  const limits = { since: now - WINDOW_MS, ofAccount: OF_ACCOUNT, ofNetwork: OF_NETWORK };
  const blockedSince = await countFailure(context.storage, { ...account, at: now }, limits);
  if (blockedSince === null) return null;
  const wait = Math.max(1, Math.ceil((blockedSince + WINDOW_MS - now) / 1000));
  return new ApiError(
    'too_many_failures',
    `too many failed sign-ins: try again in ${wait} seconds`,
    {
      retry_after: wait,
    },
  );
}

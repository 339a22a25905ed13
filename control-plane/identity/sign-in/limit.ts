import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import { networkOf } from '../networks.ts';
import { type Account, clearFailures, countFailure } from './queries.ts';

const WINDOW_MS = 15 * 60 * 1000;
/** Guesses at one account from one network. */
const OF_ACCOUNT = 10;
/** Guesses at whatever accounts: one password tried with many. */
const OF_NETWORK = 100;

/**
 * Lets an attempt through that could turn out to be a guess. Until `forgive` is called it counts
 * as failed.
 *
 * @throws ApiError `rate_limited`
 */
export async function limitGuesses(
  context: Context,
  { email, address }: { email: string; address: string },
): Promise<{ forgive: () => Promise<void> }> {
  const { storage } = context;
  const now = context.now();
  const account: Account = { email, network: networkOf(address) };
  const limits = { since: now - WINDOW_MS, ofAccount: OF_ACCOUNT, ofNetwork: OF_NETWORK };
  const standing = await countFailure(storage, { ...account, at: now }, limits);
  if (standing === null) return { forgive: () => clearFailures(storage.db, account) };
  const wait = Math.max(1, Math.ceil((standing + WINDOW_MS - now) / 1000));
  throw new ApiError('rate_limited', `too many failed sign-ins: try again in ${wait} seconds`, {
    retry_after: wait,
  });
}

import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import { networkOf } from '../networks.ts';
import { type Account, clearFailures, countFailure } from './sign-in-queries.ts';

const WINDOW_MS = 15 * 60 * 1000;
/** Guesses at one account from one network. */
const OF_ACCOUNT = 10;
/** Guesses at whatever accounts: one password tried with many. */
const OF_NETWORK = 100;

/**
 * Lets an attempt through that could turn out to be a guess. One that throws counts as failed, one
 * that succeeds forgives the account what failed before. Attempts are made in turn
 * (`password/turns.ts`): what became of the one before is known.
 *
 * @throws ApiError `rate_limited`
 */
export async function limitGuesses<T>(
  context: Context,
  { email, address }: { email: string; address: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const account = { email, network: networkOf(address) };
  const refusal = await reserve(context, account);
  if (refusal) throw refusal;
  const result = await attempt();
  await clearFailures(context.storage.db, account);
  return result;
}

/** Counts an attempt as failed; answers what to refuse it with when there were too many. */
async function reserve(context: Context, account: Account): Promise<ApiError | null> {
  const now = context.now();
  const limits = { since: now - WINDOW_MS, ofAccount: OF_ACCOUNT, ofNetwork: OF_NETWORK };
  const standing = await countFailure(context.storage, { ...account, at: now }, limits);
  if (standing === null) return null;
  const wait = Math.max(1, Math.ceil((standing + WINDOW_MS - now) / 1000));
  return new ApiError('rate_limited', `too many failed sign-ins: try again in ${wait} seconds`, {
    retry_after: wait,
  });
}

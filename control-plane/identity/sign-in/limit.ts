import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import type { Storage } from '../../storage/open.ts';
import { networkOf } from '../networks.ts';
import { type Account, clearFailures, countFailure } from './queries.ts';

const WINDOW_MS = 15 * 60 * 1000;
/** Guesses at one account from one network. */
const OF_ACCOUNT = 10;
/** Guesses at whatever accounts: one password tried with many. */
const OF_NETWORK = 100;

interface Attempt {
  storage: Storage;
  account: Account;
  ended: Promise<unknown>;
}

/** Attempts of this process of which nobody knows yet whether they fail. */
const underWay = new Set<Attempt>();

/**
 * Lets an attempt through that could turn out to be a guess. One that throws counts as failed, one
 * that succeeds forgives the account what failed before. Those under way count too, as they could
 * fail; whoever is too many only because of them waits for what becomes of them.
 *
 * @throws ApiError `rate_limited`
 */
export async function limitGuesses<T>(
  context: Context,
  { email, address }: { email: string; address: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const { storage } = context;
  const account = { email, network: networkOf(address) };
  for (;;) {
    const refusal = await reserve(context, account);
    if (!refusal) break;
    const others = attemptsAt(storage, account);
    if (others.length === 0) throw refusal;
    await Promise.allSettled(others);
  }
  const ended = attempt().then(async (result) => {
    await clearFailures(storage.db, account);
    return result;
  });
  const own = { storage, account, ended };
  underWay.add(own);
  return ended.finally(() => underWay.delete(own));
}

const attemptsAt = (storage: Storage, { email, network }: Account): Promise<unknown>[] =>
  [...underWay]
    .filter((one) => one.storage === storage)
    .filter(({ account }) => account.email === email && account.network === network)
    .map(({ ended }) => ended);

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

import { signInLock } from '../../storage/locks.ts';
import type { Db, Storage } from '../../storage/open.ts';
import type { Tx } from '../../storage/transaction.ts';

export interface Account {
  email: string;
  /** The source of the attempt, which is `networkOf` its address. */
  network: string;
}

export interface FailureLimits {
  since: number;
  ofAccount: number;
  ofNetwork: number;
}

/**
 * Counts a sign-in as failed before it is tried, so that concurrent attempts cannot exceed the
 * limits; `clearFailures` reverts it. Also deletes expired failures of all accounts.
 *
 * @returns the time of the oldest failure that blocks the attempt; null if the attempt was counted
 */
export async function countFailure(
  { transaction }: Storage,
  { email, network, at }: Account & { at: number },
  { since, ofAccount, ofNetwork }: FailureLimits,
): Promise<number | null> {
  await transaction((tx) => deleteExpiredFailures(tx, since));
  return transaction(async (tx) => {
    await tx.lock(signInLock(network));
    const all = await failuresOf(tx.db, network, since);
    const own = all.filter((failure) => failure.email === email);
    const blocking = [own.at(-ofAccount), all.at(-ofNetwork)].filter((one) => one !== undefined);
    if (blocking.length > 0) return Math.max(...blocking.map((one) => one.at));
    await tx.db.insertInto('sign_in_failures').values({ email, address: network, at }).execute();
    return null;
  });
}

async function deleteExpiredFailures(tx: Tx, since: number): Promise<void> {
  await tx.db.deleteFrom('sign_in_failures').where('at', '<', since).execute();
}

/**
 * Selects the failures from a network. Their number is bounded, because attempts beyond the limits
 * are not counted.
 */
const failuresOf = (db: Db, network: string, since: number) =>
  db
    .selectFrom('sign_in_failures')
    .select(['email', 'at'])
    .where('address', '=', network)
    .where('at', '>', since)
    .orderBy('at')
    .execute();

export async function clearFailures(tx: Tx, { email, network }: Account): Promise<void> {
  await tx.db
    .deleteFrom('sign_in_failures')
    .where('email', '=', email)
    .where('address', '=', network)
    .execute();
}

/** Counts one more failure that may be written to the audit log, and returns the count. */
export async function countAuditedFailure(
  tx: Tx,
  failure: { tenant_id: string; subject: string; since: number },
): Promise<number> {
  await tx.db
    .deleteFrom('listed_failures')
    .where('tenant_id', '=', failure.tenant_id)
    .where('since', '<', failure.since)
    .execute();
  const { count } = await tx.db
    .insertInto('listed_failures')
    .values({ ...failure, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'subject', 'since'])
        .doUpdateSet((eb) => ({ count: eb('listed_failures.count', '+', 1) })),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count;
}

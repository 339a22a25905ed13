import type { Db, Storage } from '../../storage/open.ts';

export interface Account {
  email: string;
  /** Source of the attempt: `networkOf` its address. */
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
  { db, lock }: Storage,
  { email, network, at }: Account & { at: number },
  { since, ofAccount, ofNetwork }: FailureLimits,
): Promise<number | null> {
  await db.deleteFrom('sign_in_failures').where('at', '<', since).execute();
  return db.transaction().execute(async (trx) => {
    await lock(trx, `sign-in ${network}`);
    const all = await failuresOf(trx, network, since);
    const own = all.filter((failure) => failure.email === email);
    const blocking = [own.at(-ofAccount), all.at(-ofNetwork)].filter((one) => one !== undefined);
    if (blocking.length > 0) return Math.max(...blocking.map((one) => one.at));
    await trx.insertInto('sign_in_failures').values({ email, address: network, at }).execute();
    return null;
  });
}

/** Bounded: attempts beyond the limits are not counted. */
const failuresOf = (db: Db, network: string, since: number) =>
  db
    .selectFrom('sign_in_failures')
    .select(['email', 'at'])
    .where('address', '=', network)
    .where('at', '>', since)
    .orderBy('at')
    .execute();

export async function clearFailures(db: Db, { email, network }: Account): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('email', '=', email)
    .where('address', '=', network)
    .execute();
}

/** Counts one more failure eligible for the audit log, and returns the count. */
export async function countListed(
  db: Db,
  failure: { tenant_id: string; subject: string; since: number },
): Promise<number> {
  await db
    .deleteFrom('listed_failures')
    .where('tenant_id', '=', failure.tenant_id)
    .where('since', '<', failure.since)
    .execute();
  const { count } = await db
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

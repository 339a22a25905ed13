import type { Db, Storage } from '../../storage/open.ts';

export interface Account {
  email: string;
  /** Where the attempt comes from: `networkOf` its address. */
  network: string;
}

export interface FailureLimits {
  since: number;
  ofAccount: number;
  ofNetwork: number;
}

/**
 * Counts a sign-in as failed before it is tried, so that many at once cannot outrun the limits;
 * `clearFailures` takes it back. Also forgets what is too old to count, for every account.
 *
 * @returns when the oldest of the failures that stand in the way was; null when it was counted
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
    const standing = [own.at(-ofAccount), all.at(-ofNetwork)].filter((one) => one !== undefined);
    if (standing.length > 0) return Math.max(...standing.map((one) => one.at));
    await trx.insertInto('sign_in_failures').values({ email, address: network, at }).execute();
    return null;
  });
}

/** Never many: what is beyond the limits is not counted. */
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

/** Counts one more failure that the audit log could be told of, and says how many there were. */
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

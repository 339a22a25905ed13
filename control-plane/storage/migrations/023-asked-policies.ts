import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import type { Tables } from '../tables.ts';
import type { PolicySetTable, PolicyCheckTable } from '../tables/governance.ts';

/** How the policies of a check are called is stored once a day, not with each check. */
export const askedPolicies = (dialect: Dialect): Migration => ({
  async up(db: Kysely<Tables>) {
    await db.schema.alterTable('policy_checks').renameTo('policy_checks_in_full').execute();
    // Not in the order of its key: SQLite would put what is over a kilobyte on a page of its own.
    await db.schema
      .createTable('policy_checks')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('id', 'text', (to) => to.notNull())
      .addColumn('agent_name', 'text', (to) => to.notNull())
      .addColumn('workflow_name', 'text', (to) => to.notNull())
      .addColumn('created_at', 'bigint', (to) => to.notNull())
      .addColumn('answer_count', 'integer', (to) => to.notNull())
      .addColumn('asked', 'text', (to) => to.notNull())
      .addColumn('answers', 'text', (to) => to.notNull())
      .addPrimaryKeyConstraint('policy_checks_by_id', ['tenant_id', 'id'])
      .execute();
    // Whoever counts reads this and no answers.
    await db.schema
      .createIndex('policy_checks_by_time')
      .on('policy_checks')
      .columns(['tenant_id', 'created_at', 'agent_name', 'answer_count'])
      .execute();
    await dialect
      .keyed(
        db.schema
          .createTable('asked_policies')
          .addColumn('tenant_id', 'text', (to) => to.notNull())
          .addColumn('day', 'bigint', (to) => to.notNull())
          .addColumn('key', 'text', (to) => to.notNull())
          .addColumn('policies', 'text', (to) => to.notNull())
          .addPrimaryKeyConstraint('asked_policies_pk', ['tenant_id', 'day', 'key']),
      )
      .execute();
    const old = db as unknown as Kysely<Before>;
    let after: Place | undefined = { tenant_id: '', id: '' };
    while (after) after = await moveChecks(db, old, after);
    await db.schema.dropTable('policy_checks_in_full').execute();
  },
});

interface Before {
  policy_checks_in_full: Omit<PolicyCheckTable, 'asked'>;
}

interface Place {
  tenant_id: string;
  id: string;
}

const AT_ONCE = 1000;
const DAY_MS = 24 * 3_600_000;

type Told = [id: unknown, name: unknown, category: unknown, ...answer: unknown[]];

/** Answers the last that was moved; undefined when none is left. */
async function moveChecks(
  db: Kysely<Tables>,
  old: Kysely<Before>,
  after: Place,
): Promise<Place | undefined> {
  const rows = await old
    .selectFrom('policy_checks_in_full')
    .selectAll()
    .where((eb) => eb(eb.refTuple('tenant_id', 'id'), '>', eb.tuple(after.tenant_id, after.id)))
    .orderBy('tenant_id')
    .orderBy('id')
    .limit(AT_ONCE)
    .execute();
  if (rows.length === 0) return undefined;
  const named = new Map<string, PolicySetTable>();
  const checks = rows.map(({ answers, ...row }): PolicyCheckTable => {
    const told = JSON.parse(answers) as Told[];
    const policies = JSON.stringify(told.map(([id, name, category]) => [id, name, category]));
    const key = hash('sha256', policies, 'base64url').slice(0, 16);
    const { tenant_id } = row;
    const day = Math.floor(row.created_at / DAY_MS);
    named.set(`${tenant_id} ${day} ${key}`, { tenant_id, day, key, policies });
    return {
      ...row,
      asked: key,
      answers: JSON.stringify(told.map(([_id, _name, _category, ...answer]) => answer)),
    };
  });
  await db
    .insertInto('asked_policies')
    .values([...named.values()])
    .onConflict((on) => on.doNothing())
    .execute();
  await db.insertInto('policy_checks').values(checks).execute();
  return rows.at(-1);
}

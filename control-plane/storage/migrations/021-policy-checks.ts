import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import type { Tables } from '../tables.ts';

/** A check leaves one row, whatever number of policies answered it. */
export const policyChecks = (dialect: Dialect): Migration => ({
  async up(db: Kysely<Tables>) {
    await dialect
      .keyed(
        db.schema
          .createTable('policy_checks')
          .addColumn('tenant_id', 'text', (to) => to.notNull())
          .addColumn('id', 'text', (to) => to.notNull())
          .addColumn('agent_name', 'text', (to) => to.notNull())
          .addColumn('workflow_name', 'text', (to) => to.notNull())
          .addColumn('created_at', 'bigint', (to) => to.notNull())
          .addColumn('answer_count', 'integer', (to) => to.notNull())
          // Last: whoever counts then reads only the beginnings of rows.
          .addColumn('answers', 'text', (to) => to.notNull())
          .addPrimaryKeyConstraint('policy_checks_pk', ['tenant_id', 'id']),
      )
      .execute();
    while (await moveAnswersWithoutRun(db));
    await sortStatesBySubject(db, dialect);
  },
});

const AT_ONCE = 1000;

/** What was answered to checks before this: a row for each policy. False when none is left. */
async function moveAnswersWithoutRun(db: Kysely<Tables>): Promise<boolean> {
  const rows = await db
    .selectFrom('evaluations')
    .selectAll()
    .where('run_id', 'is', null)
    .orderBy('tenant_id')
    .orderBy('id')
    .limit(AT_ONCE)
    .execute();
  for (const row of rows) {
    const { tenant_id, id, agent_name, workflow_name, created_at } = row;
    const { policy_id, policy_name, category, action, reason, metadata } = row;
    const answer = [policy_id, policy_name, category, action, reason, JSON.parse(metadata)];
    const answers = JSON.stringify([answer]);
    const check = {
      tenant_id,
      id,
      agent_name,
      workflow_name,
      created_at,
      answer_count: 1,
      answers,
    };
    await db
      .insertInto('policy_checks')
      // As the table was then.
      .values(check as never)
      .execute();
    await db
      .deleteFrom('evaluations')
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .execute();
  }
  return rows.length > 0;
}

/** All that a check needs of its subject then lies side by side, and is written as one page. */
async function sortStatesBySubject(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('policy_states').renameTo('policy_states_by_policy').execute();
  await dialect
    .keyed(
      db.schema
        .createTable('policy_states')
        .addColumn('tenant_id', 'text', (to) => to.notNull())
        .addColumn('subject', 'text', (to) => to.notNull())
        .addColumn('policy_id', 'text', (to) => to.notNull())
        .addColumn('state', 'text', (to) => to.notNull())
        .addColumn('updated_at', 'bigint', (to) => to.notNull())
        .addPrimaryKeyConstraint('policy_states_by_subject', ['tenant_id', 'subject', 'policy_id']),
    )
    .execute();
  await sql`
    insert into policy_states (tenant_id, subject, policy_id, state, updated_at)
    select tenant_id, subject, policy_id, state, updated_at from policy_states_by_policy`.execute(
    db,
  );
  await db.schema.dropTable('policy_states_by_policy').execute();
}

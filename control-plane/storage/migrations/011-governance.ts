import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';

export const governance = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await createPolicies(db, dialect);
    await createEvaluations(db, dialect);
    await createIncidents(db);
    await createEndUsers(db, dialect);
    // What policies asked to remember of a run when it started: JSON by policy.
    await db.schema.alterTable('runs').addColumn('remembered', 'text').execute();
    await db.schema.alterTable('runs').addColumn('end_user_id', 'text').execute();
    await sql.raw(endUserDaysOfWhatIsThere).execute(db);
  },
});

async function createPolicies(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('policies')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('id', 'text', (to) => to.notNull())
    .addColumn('name', 'text', (to) => to.notNull())
    .addColumn('description', 'text', (to) => to.notNull())
    .addColumn('category', 'text', (to) => to.notNull())
    .addColumn('rules', 'text', (to) => to.notNull())
    .addColumn('scope', 'text', (to) => to.notNull())
    .addColumn('priority', 'integer', (to) => to.notNull())
    .addColumn('enabled', 'integer', (to) => to.notNull())
    .addColumn('version', 'bigint', (to) => to.notNull())
    .addColumn('created_at', 'bigint', (to) => to.notNull())
    .addColumn('updated_at', 'bigint', (to) => to.notNull())
    .addPrimaryKeyConstraint('policies_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('policies_by_name', ['tenant_id', 'name'])
    .execute();
  await dialect
    .keyed(
      db.schema
        .createTable('policy_states')
        .addColumn('tenant_id', 'text', (to) => to.notNull())
        .addColumn('policy_id', 'text', (to) => to.notNull())
        .addColumn('subject', 'text', (to) => to.notNull())
        .addColumn('state', 'text', (to) => to.notNull())
        .addColumn('updated_at', 'bigint', (to) => to.notNull())
        .addPrimaryKeyConstraint('policy_states_pk', ['tenant_id', 'policy_id', 'subject']),
    )
    .execute();
}

async function createEvaluations(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect
    .keyed(
      db.schema
        .createTable('evaluations')
        .addColumn('tenant_id', 'text', (to) => to.notNull())
        .addColumn('id', 'text', (to) => to.notNull())
        .addColumn('run_id', 'bigint')
        .addColumn('policy_id', 'text')
        .addColumn('policy_name', 'text')
        .addColumn('category', 'text')
        .addColumn('phase', 'text', (to) => to.notNull())
        .addColumn('action', 'text', (to) => to.notNull())
        .addColumn('reason', 'text', (to) => to.notNull())
        .addColumn('metadata', 'text', (to) => to.notNull())
        .addColumn('agent_name', 'text', (to) => to.notNull())
        .addColumn('workflow_name', 'text', (to) => to.notNull())
        .addColumn('evaluation_count', 'bigint', (to) => to.notNull())
        .addColumn('created_at', 'bigint', (to) => to.notNull())
        .addColumn('updated_at', 'bigint', (to) => to.notNull())
        // Ids stand in the order of time: a check with many policies writes each record once.
        .addPrimaryKeyConstraint('evaluations_pk', ['tenant_id', 'id']),
    )
    .execute();
  await db.schema
    .createIndex('evaluations_by_run')
    .on('evaluations')
    .columns(['tenant_id', 'run_id'])
    .where(sql.ref('run_id'), 'is not', null)
    .execute();
}

async function createIncidents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('incidents')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('id', 'text', (to) => to.notNull())
    .addColumn('run_id', 'bigint')
    .addColumn('policy_id', 'text', (to) => to.notNull())
    .addColumn('policy_name', 'text', (to) => to.notNull())
    .addColumn('category', 'text', (to) => to.notNull())
    .addColumn('action', 'text', (to) => to.notNull())
    .addColumn('reason', 'text', (to) => to.notNull())
    .addColumn('metadata', 'text', (to) => to.notNull())
    .addColumn('agent_name', 'text', (to) => to.notNull())
    .addColumn('workflow_name', 'text', (to) => to.notNull())
    .addColumn('status', 'text', (to) => to.notNull())
    .addColumn('note', 'text', (to) => to.notNull())
    .addColumn('occurrences', 'bigint', (to) => to.notNull())
    .addColumn('created_at', 'bigint', (to) => to.notNull())
    .addColumn('updated_at', 'bigint', (to) => to.notNull())
    .addPrimaryKeyConstraint('incidents_pk', ['tenant_id', 'id'])
    .execute();
  await index(db, 'incidents_by_status', 'incidents', ['tenant_id', 'status', 'created_at', 'id']);
  await index(db, 'incidents_by_time', 'incidents', ['tenant_id', 'created_at', 'id']);
  await index(db, 'incidents_by_run', 'incidents', ['tenant_id', 'run_id']);
  await index(db, 'incidents_by_policy', 'incidents', [
    'tenant_id',
    'policy_id',
    'run_id',
    'status',
  ]);
}

/** The days of end users, counted from the calls that are stored. */
export const endUserDaysOfWhatIsThere = `
  insert into end_user_days
    (tenant_id, end_user_id, day, call_count, total_tokens, total_cost)
  select c.tenant_id, coalesce(r.end_user_id, r.user_id), c.created_at / 86400000,
    count(*), sum(c.total_tokens), sum(c.cost)
  from llm_calls c join runs r on r.tenant_id = c.tenant_id and r.id = c.run_id
  where coalesce(r.end_user_id, r.user_id) is not null
  group by 1, 2, 3`;

/** What end users may use, and what they did by UTC day. */
async function createEndUsers(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect
    .keyed(
      db.schema
        .createTable('end_user_limits')
        .addColumn('tenant_id', 'text', (to) => to.notNull())
        .addColumn('kind', 'text', (to) => to.notNull())
        .addColumn('id', 'text', (to) => to.notNull())
        .addColumn('monthly_budget', 'double precision')
        .addColumn('requests_per_minute', 'bigint')
        .addColumn('updated_at', 'bigint', (to) => to.notNull())
        .addPrimaryKeyConstraint('end_user_limits_pk', ['tenant_id', 'kind', 'id']),
    )
    .execute();
  await dialect
    .keyed(
      db.schema
        .createTable('end_user_days')
        .addColumn('tenant_id', 'text', (to) => to.notNull())
        .addColumn('end_user_id', 'text', (to) => to.notNull())
        .addColumn('day', 'bigint', (to) => to.notNull())
        .addColumn('call_count', 'bigint', (to) => to.notNull())
        .addColumn('total_tokens', 'bigint', (to) => to.notNull())
        .addColumn('total_cost', 'double precision', (to) => to.notNull())
        .addPrimaryKeyConstraint('end_user_days_pk', ['tenant_id', 'end_user_id', 'day']),
    )
    .execute();
}

const index = (db: Kysely<unknown>, name: string, table: string, columns: string[]) =>
  db.schema.createIndex(name).on(table).columns(columns).execute();

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';

export const enterprise = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await extendTenants(db);
    await countDays(db, dialect);
    await createSubUsers(db);
    await db.schema
      .createTable('tenant_add_ons')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('code', 'text', (to) => to.notNull())
      .addColumn('activated_at', 'bigint', (to) => to.notNull())
      .addPrimaryKeyConstraint('tenant_add_ons_pk', ['tenant_id', 'code'])
      .execute();
  },
});

async function extendTenants(db: Kysely<unknown>): Promise<void> {
  // SQLite adds one column at a time.
  const add = (name: string, type: 'text' | 'bigint') =>
    db.schema.alterTable('tenants').addColumn(name, type).execute();
  for (const name of ['parent_id', 'slug', 'external_id', 'contact_email']) await add(name, 'text');
  for (const name of ['suspend_reason', 'region_code']) await add(name, 'text');
  for (const name of ['max_agents', 'max_tokens_per_day', 'max_agent_runs_per_day'])
    await add(name, 'bigint');
  for (const name of ['suspended_at', 'updated_at']) await add(name, 'bigint');
  // Of several tenants without a parent, or without an external id, none is like another.
  for (const name of ['slug', 'external_id'])
    await db.schema
      .createIndex(`tenants_by_${name}`)
      .unique()
      .on('tenants')
      .columns(['parent_id', name])
      .execute();
}

async function countDays(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect
    .keyed(
      db.schema
        .createTable('quota_days')
        .addColumn('tenant_id', 'text', (to) => to.notNull())
        .addColumn('day', 'bigint', (to) => to.notNull())
        .addColumn('run_count', 'bigint', (to) => to.notNull())
        .addColumn('total_tokens', 'bigint', (to) => to.notNull())
        .addPrimaryKeyConstraint('quota_days_pk', ['tenant_id', 'day']),
    )
    .execute();
}

async function createSubUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sub_user_sessions')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('id', 'text', (to) => to.notNull())
    .addColumn('sub_user_id', 'text', (to) => to.notNull())
    .addColumn('email', 'text')
    .addColumn('display_name', 'text')
    .addColumn('roles', 'text', (to) => to.notNull())
    .addColumn('permissions', 'text', (to) => to.notNull())
    .addColumn('issued_by', 'text', (to) => to.notNull())
    .addColumn('created_at', 'bigint', (to) => to.notNull())
    .addColumn('expires_at', 'bigint', (to) => to.notNull())
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('sub_user_sessions_pk', ['tenant_id', 'id'])
    .execute();
  for (const column of ['sub_user_id', 'expires_at'])
    await db.schema
      .createIndex(`sub_user_sessions_by_${column}`)
      .on('sub_user_sessions')
      .columns(['tenant_id', column])
      .execute();
}

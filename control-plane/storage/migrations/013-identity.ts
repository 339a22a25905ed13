import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const identity: Migration = {
  async up(db: Kysely<unknown>) {
    await extendUsers(db);
    await extendSessions(db);
    await db.schema.alterTable('api_keys').addColumn('replaced_by', 'text').execute();
    await limitFailures(db);
    await db.schema
      .createTable('identity_settings')
      .addColumn('tenant_id', 'text', (to) => to.primaryKey())
      .addColumn('password_max_age_days', 'bigint')
      .addColumn('updated_at', 'bigint', (to) => to.notNull())
      .addColumn('updated_by', 'text', (to) => to.notNull())
      .execute();
  },
};

async function extendUsers(db: Kysely<unknown>): Promise<void> {
  const users = () => db.schema.alterTable('users');
  // SQLite adds one column at a time.
  for (const flag of ['disabled', 'must_change_password'])
    await users()
      .addColumn(flag, 'integer', (to) => to.notNull().defaultTo(0))
      .execute();
  for (const time of ['password_changed_at', 'last_sign_in_at'])
    await users().addColumn(time, 'bigint').execute();
  for (const name of ['oidc_issuer', 'oidc_subject'])
    await users().addColumn(name, 'text').execute();
  // One identity of a provider is one user; nulls are never alike.
  await db.schema
    .createIndex('users_by_identity')
    .unique()
    .on('users')
    .columns(['oidc_issuer', 'oidc_subject'])
    .execute();
}

async function extendSessions(db: Kysely<unknown>): Promise<void> {
  const texts = [
    ['method', 'password'],
    ['address', ''],
    ['user_agent', ''],
  ] as const;
  for (const [name, usual] of texts)
    await db.schema
      .alterTable('sessions')
      .addColumn(name, 'text', (to) => to.notNull().defaultTo(usual))
      .execute();
  await db.schema.alterTable('sessions').addColumn('last_seen_at', 'bigint').execute();
  await db.schema
    .createIndex('sessions_by_user')
    .on('sessions')
    .columns(['tenant_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('sessions_by_expiry')
    .on('sessions')
    .columns(['tenant_id', 'expires_at'])
    .execute();
}

async function limitFailures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('sign_in_failures_by_address')
    .on('sign_in_failures')
    .columns(['address', 'at'])
    .execute();
  await db.schema
    .createTable('listed_failures')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('subject', 'text', (to) => to.notNull())
    .addColumn('since', 'bigint', (to) => to.notNull())
    .addColumn('count', 'bigint', (to) => to.notNull())
    .addPrimaryKeyConstraint('listed_failures_pk', ['tenant_id', 'subject', 'since'])
    .execute();
}

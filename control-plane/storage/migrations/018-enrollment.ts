import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const enrollment: Migration = {
  async up(db: Kysely<unknown>) {
    await extendAuthorities(db);
    await extendDevices(db);
    await createIntermediates(db);
    await db.schema
      .createTable('enrollment_settings')
      .addColumn('tenant_id', 'text', (to) => to.primaryKey())
      .addColumn('require_approval', 'integer', (to) => to.notNull())
      .addColumn('new_devices_per_hour', 'bigint', (to) => to.notNull())
      .addColumn('updated_at', 'bigint', (to) => to.notNull())
      .addColumn('updated_by', 'text', (to) => to.notNull())
      .execute();
  },
};

async function extendAuthorities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('authorities')
    .addColumn('state', 'text', (to) => to.notNull().defaultTo('active'))
    .execute();
  for (const counter of ['crl_number', 'revocations'])
    await db.schema
      .alterTable('authorities')
      .addColumn(counter, 'bigint', (to) => to.notNull().defaultTo(0))
      .execute();
  // Two administrators at once make one next root, and activate one.
  for (const state of ['next', 'active'])
    await (db as Kysely<{ authorities: { state: string } }>).schema
      .createIndex(`authorities_${state}`)
      .on('authorities')
      .column('tenant_id')
      .unique()
      .where(sql.ref('state'), '=', state)
      .execute();
  // Whoever asks for a revocation list knows the root, not whose it is.
  await db.schema.createIndex('authorities_by_id').on('authorities').columns(['id']).execute();
}

async function extendDevices(db: Kysely<unknown>): Promise<void> {
  const devices = () => db.schema.alterTable('devices');
  // SQLite adds one column at a time.
  await devices()
    .addColumn('registered_at', 'bigint', (to) => to.notNull().defaultTo(0))
    .execute();
  for (const text of ['registered_by', 'identity_key', 'waiting_key', 'waiting_as'])
    await devices().addColumn(text, 'text').execute();
  await devices().addColumn('waiting_since', 'bigint').execute();
  await sql`update devices set registered_at = enrolled_at, registered_by = api_key_id`.execute(db);
  await db.schema
    .createIndex('devices_by_key')
    .on('devices')
    .columns(['tenant_id', 'registered_by', 'registered_at'])
    .execute();
  await db.schema.alterTable('device_identities').addColumn('authority_id', 'text').execute();
  await sql`update device_identities set authority_id = (select min(id) from authorities
    where authorities.tenant_id = device_identities.tenant_id)`.execute(db);
  await db.schema
    .createIndex('device_identities_by_authority')
    .on('device_identities')
    .columns(['tenant_id', 'authority_id', 'expires_at'])
    .execute();
}

async function createIntermediates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('device_intermediates')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('device_id', 'text', (to) => to.notNull())
    .addColumn('serial', 'text', (to) => to.notNull())
    .addColumn('authority_id', 'text', (to) => to.notNull())
    .addColumn('hosts', 'text', (to) => to.notNull())
    .addColumn('issued_at', 'bigint', (to) => to.notNull())
    .addColumn('expires_at', 'bigint', (to) => to.notNull())
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('device_intermediates_pk', ['tenant_id', 'device_id', 'serial'])
    .execute();
  await db.schema
    .createIndex('device_intermediates_by_authority')
    .on('device_intermediates')
    .columns(['tenant_id', 'authority_id', 'expires_at'])
    .execute();
}

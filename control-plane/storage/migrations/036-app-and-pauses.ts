import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the app on devices tells its people, and when they paused capture. */
export const appAndPauses: Migration = {
  async up(db: Kysely<unknown>) {
    await createAppSettings(db);
    await createPauses(db);
  },
};

async function createAppSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('app_settings')
    .addColumn('tenant_id', 'text', (to) => to.primaryKey())
    .addColumn('contact', 'text')
    .addColumn('contact_address', 'text')
    .addColumn('newest_version', 'text')
    .addColumn('updated_at', 'bigint', (to) => to.notNull())
    .addColumn('updated_by', 'text', (to) => to.notNull())
    .execute();
}

async function createPauses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('capture_pauses')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('device_id', 'text', (to) => to.notNull())
    .addColumn('id', 'text', (to) => to.notNull())
    .addColumn('user', 'text', (to) => to.notNull())
    .addColumn('started_at', 'bigint', (to) => to.notNull())
    .addColumn('minutes', 'bigint', (to) => to.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('ended_by', 'text')
    .addPrimaryKeyConstraint('capture_pauses_pk', ['tenant_id', 'device_id', 'id'])
    .execute();
  await db.schema
    .createIndex('capture_pauses_by_time')
    .on('capture_pauses')
    .columns(['tenant_id', 'started_at'])
    .execute();
}

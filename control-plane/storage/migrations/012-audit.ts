import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const audit: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_entries')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('sequence', 'bigint', (to) => to.notNull())
      .addColumn('id', 'text', (to) => to.notNull())
      .addColumn('actor_type', 'text', (to) => to.notNull())
      .addColumn('actor_id', 'text', (to) => to.notNull())
      .addColumn('action', 'text', (to) => to.notNull())
      .addColumn('resource_type', 'text', (to) => to.notNull())
      .addColumn('resource_id', 'text', (to) => to.notNull())
      .addColumn('metadata', 'text', (to) => to.notNull())
      .addColumn('ip', 'text')
      .addColumn('created_at', 'bigint', (to) => to.notNull())
      .addColumn('previous_hash', 'text', (to) => to.notNull())
      .addColumn('hash', 'text', (to) => to.notNull())
      .addPrimaryKeyConstraint('audit_entries_pk', ['tenant_id', 'sequence'])
      .execute();
    await db.schema
      .createIndex('audit_entries_by_time')
      .on('audit_entries')
      .columns(['tenant_id', 'created_at', 'sequence'])
      .execute();
  },
};

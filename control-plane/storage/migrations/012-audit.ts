import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The audit log, where it ends, how much there is of what, and files made of it. */
export const audit: Migration = {
  async up(db: Kysely<unknown>) {
    await createEntries(db);
    await createTotals(db);
    await createExports(db);
  },
};

async function createEntries(db: Kysely<unknown>): Promise<void> {
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
  await db.schema
    .createIndex('audit_entries_by_kind')
    .on('audit_entries')
    .columns(['tenant_id', 'actor_type', 'action', 'created_at', 'sequence'])
    .execute();
  await db.schema
    .createTable('audit_heads')
    .addColumn('tenant_id', 'text', (to) => to.primaryKey())
    .addColumn('sequence', 'bigint', (to) => to.notNull())
    .addColumn('hash', 'text', (to) => to.notNull())
    .addColumn('seal', 'text', (to) => to.notNull())
    .execute();
}

async function createTotals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_totals')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('actor_type', 'text', (to) => to.notNull())
    .addColumn('action', 'text', (to) => to.notNull())
    .addColumn('day', 'bigint', (to) => to.notNull())
    .addColumn('count', 'bigint', (to) => to.notNull())
    .addPrimaryKeyConstraint('audit_totals_pk', ['tenant_id', 'actor_type', 'action', 'day'])
    .execute();
}

async function createExports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_exports')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('id', 'text', (to) => to.notNull())
    .addColumn('format', 'text', (to) => to.notNull())
    .addColumn('start_date', 'bigint')
    .addColumn('end_date', 'bigint')
    .addColumn('last_sequence', 'bigint', (to) => to.notNull())
    .addColumn('status', 'text', (to) => to.notNull())
    .addColumn('error', 'text')
    .addColumn('lease_owner', 'text', (to) => to.notNull())
    .addColumn('lease_until', 'bigint', (to) => to.notNull())
    .addColumn('position', 'bigint', (to) => to.notNull())
    .addColumn('chunk_count', 'bigint', (to) => to.notNull())
    .addColumn('entry_count', 'bigint', (to) => to.notNull())
    .addColumn('byte_count', 'bigint', (to) => to.notNull())
    .addColumn('created_at', 'bigint', (to) => to.notNull())
    .addColumn('completed_at', 'bigint')
    .addPrimaryKeyConstraint('audit_exports_pk', ['tenant_id', 'id'])
    .execute();
  await db.schema
    .createTable('audit_export_chunks')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('export_id', 'text', (to) => to.notNull())
    .addColumn('number', 'bigint', (to) => to.notNull())
    .addColumn('content', 'bytea', (to) => to.notNull())
    .addPrimaryKeyConstraint('audit_export_chunks_pk', ['tenant_id', 'export_id', 'number'])
    .execute();
}

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const settings: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('tenant_settings')
      .addColumn('tenant_id', 'text', (column) => column.primaryKey())
      .addColumn('retention_days', 'bigint')
      .addColumn('masking', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_by', 'text', (column) => column.notNull())
      .execute();
  },
};

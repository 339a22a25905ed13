import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How many days captured exchanges are kept, where that is not as long as all else. */
export const captureRetention: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('tenant_settings')
      .addColumn('capture_retention_days', 'bigint')
      .execute();
  },
};

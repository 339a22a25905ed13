import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Retention looks for what was not written for long, again and again. */
export const memoryByAge: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('memory_slots_by_update')
      .on('memory_slots')
      .columns(['tenant_id', 'updated_at', 'id'])
      .execute();
  },
};

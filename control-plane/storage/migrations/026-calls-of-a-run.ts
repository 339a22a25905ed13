import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The calls of a run stand in the order in which they happened, however many there are. */
export const callsOfARun: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('llm_calls_by_run').execute();
    await db.schema
      .createIndex('llm_calls_by_run')
      .on('llm_calls')
      .columns(['tenant_id', 'run_id', 'created_at', 'id'])
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which batches were recorded, so that sending one again changes nothing. */
export const recordingBatches: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('recording_batches')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('batch_id', 'text', (to) => to.notNull())
      .addColumn('kind', 'text', (to) => to.notNull())
      .addColumn('run_id', 'bigint')
      .addColumn('item_count', 'bigint', (to) => to.notNull())
      .addColumn('created_at', 'bigint', (to) => to.notNull())
      .addPrimaryKeyConstraint('recording_batches_pk', ['tenant_id', 'batch_id'])
      .execute();
    await db.schema
      .createIndex('recording_batches_by_time')
      .on('recording_batches')
      .columns(['tenant_id', 'created_at'])
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable } from './001-schema/table-parts.ts';

/** Queues of runs that people review. */
export const annotationQueues: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await tenantTable(schema, 'annotation_queues')
      .addColumn('id', 'text', notNull)
      .addColumn('name', 'text', notNull)
      .addColumn('description', 'text', notNull)
      .addColumn('instructions', 'text', notNull)
      .addColumn('scores', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addColumn('updated_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('annotation_queues_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('annotation_queues_name', ['tenant_id', 'name'])
      .execute();
    await tenantTable(schema, 'annotation_items')
      .addColumn('queue_id', 'text', notNull)
      .addColumn('run_id', 'bigint', notNull)
      .addColumn('status', 'text', notNull)
      .addColumn('reviewer_id', 'text')
      .addColumn('claim_expires_at', 'bigint')
      .addColumn('added_at', 'bigint', notNull)
      .addColumn('done_at', 'bigint')
      .addColumn('comment', 'text')
      .addColumn('score_ids', 'text', notNull)
      .addPrimaryKeyConstraint('annotation_items_pk', ['tenant_id', 'queue_id', 'run_id'])
      .execute();
    const indexes = tenantIndexes(schema, 'annotation_items');
    await indexes(
      'annotation_items_by_status',
      'queue_id',
      'status',
      'added_at',
      'run_id',
    ).execute();
    // Finds the items of a run that is deleted.
    await indexes('annotation_items_by_run', 'run_id').execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantTable } from './001-schema/table-parts.ts';

/** Objects that were removed from all lists and whose rows are deleted in portions. */
export const deletionsInPortions: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await tenantTable(schema, 'pending_deletions')
      .addColumn('id', 'text', notNull)
      .addColumn('kind', 'text', notNull)
      .addColumn('due_at', 'bigint', notNull)
      .addColumn('dataset_id', 'text')
      .addPrimaryKeyConstraint('pending_deletions_pk', ['tenant_id', 'id'])
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantTable } from './001-schema/table-parts.ts';

/** What is deleted in portions, after it is gone from all lists. */
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

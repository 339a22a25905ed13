import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable } from './001-schema/table-parts.ts';

/** Metrics of coding agents that are in no log or span. */
export const codingCounters: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await tenantTable(schema, 'coding_counters')
      .addColumn('id', 'text', notNull)
      .addColumn('agent_name', 'text', notNull)
      .addColumn('user_id', 'text')
      .addColumn('user_group', 'text')
      .addColumn('measure', 'text', notNull)
      .addColumn('started_at', 'bigint', notNull)
      .addColumn('seen_at', 'bigint', notNull)
      .addColumn('value', 'bigint', notNull)
      .addPrimaryKeyConstraint('coding_counters_pk', ['tenant_id', 'id'])
      .execute();
    const index = tenantIndexes(schema, 'coding_counters');
    await index('coding_counters_by_time', 'started_at').execute();
  },
};

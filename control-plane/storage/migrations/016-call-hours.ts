import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { notNull, tenantTable, withDefault } from './001-schema/table-parts.ts';

/**
 * Hourly counts of LLM calls by the dimensions that queries group by, counted in the background,
 * and the revisions by which a later change of an hour is detected.
 */
export const callHours = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .alterTable('model_hours')
      .addColumn('revision', 'bigint', withDefault(0))
      .execute();
    await dialect
      .clusteredByKey(
        tenantTable(schema, 'call_hours')
          .addColumn('grouped_by', 'text', notNull)
          .addColumn('agent_name', 'text', notNull)
          .addColumn('hour', 'bigint', notNull)
          .addColumn('place', 'bigint', notNull)
          .addColumn('name', 'text')
          .addColumn('call_count', 'bigint', notNull)
          .addColumn('total_tokens', 'bigint', notNull)
          .addColumn('tokens_in', 'bigint', notNull)
          .addColumn('tokens_out', 'bigint', notNull)
          .addColumn('cache_read_tokens', 'bigint', notNull)
          .addColumn('total_cost', 'double precision', notNull)
          .addColumn('durations', 'text', notNull)
          .addPrimaryKeyConstraint('call_hours_pk', [
            'tenant_id',
            'grouped_by',
            'agent_name',
            'hour',
            'place',
          ]),
      )
      .execute();
    await dialect
      .clusteredByKey(
        tenantTable(schema, 'counted_hours')
          .addColumn('hour', 'bigint', notNull)
          .addColumn('revision', 'text', notNull)
          .addPrimaryKeyConstraint('counted_hours_pk', ['tenant_id', 'hour']),
      )
      .execute();
  },
});

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Prices of tenants, and calls that have none. */
export const modelCosts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('model_cost_overrides')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('model_key', 'text', (column) => column.notNull())
      .addColumn('model_id', 'text', (column) => column.notNull())
      .addColumn('input_cost_per_million', 'double precision', (column) => column.notNull())
      .addColumn('output_cost_per_million', 'double precision', (column) => column.notNull())
      .addColumn('cache_read_cost_per_million', 'double precision')
      .addColumn('cache_write_cost_per_million', 'double precision')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('model_cost_overrides_pk', ['tenant_id', 'model_key'])
      .execute();
    await db.schema
      .createTable('cost_recomputations')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('dry_run', 'bigint', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('cost_recomputations_pk', ['tenant_id'])
      .execute();
    // Holds only calls without a price, so it costs nothing to record the others.
    await db.schema
      .createIndex('llm_calls_unpriced')
      .on('llm_calls')
      .columns(['tenant_id', 'model', 'provider', 'total_tokens'])
      .where(sql.ref('cost_source'), '=', sql.lit('unpriced'))
      .execute();
  },
};

import type { SchemaModule } from 'kysely';
import { notNull, tenantTable } from './table-parts.ts';

export async function costTables(schema: SchemaModule): Promise<void> {
  await modelCostOverrides(schema);
  await costRecomputations(schema);
}

async function modelCostOverrides(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'model_cost_overrides')
    // `model_id` in lower case, because model names are case-insensitive.
    .addColumn('model_key', 'text', notNull)
    .addColumn('model_id', 'text', notNull)
    .addColumn('input_cost_per_million', 'double precision', notNull)
    .addColumn('output_cost_per_million', 'double precision', notNull)
    .addColumn('cache_read_cost_per_million', 'double precision')
    .addColumn('cache_write_cost_per_million', 'double precision')
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('model_cost_overrides_pk', ['tenant_id', 'model_key'])
    .execute();
}

async function costRecomputations(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'cost_recomputations')
    .addColumn('id', 'text', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('dry_run', 'bigint', notNull)
    .addColumn('progress', 'text', notNull)
    .addColumn('started_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('cost_recomputations_pk', ['tenant_id'])
    .execute();
}

import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable } from './001-schema/table-parts.ts';

/** Datasets with their items, and experiments with a result for each item. */
export const datasets: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await datasetTables(schema);
    await experimentTables(schema);
  },
};

async function datasetTables(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'datasets')
    .addColumn('id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('description', 'text', notNull)
    .addColumn('next_position', 'bigint', notNull)
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('datasets_pk', ['tenant_id', 'id'])
    .execute();
  await tenantIndexes(schema, 'datasets')('datasets_by_name', 'name').unique().execute();
  await tenantTable(schema, 'dataset_items')
    .addColumn('id', 'text', notNull)
    .addColumn('dataset_id', 'text', notNull)
    .addColumn('position', 'bigint', notNull)
    .addColumn('llm_call_id', 'bigint')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('archived_at', 'bigint')
    .addColumn('input_preview', 'text', notNull)
    .addColumn('expected_preview', 'text')
    .addColumn('metadata', 'text', notNull)
    .addColumn('input', 'text', notNull)
    .addColumn('expected_output', 'text')
    .addPrimaryKeyConstraint('dataset_items_pk', ['tenant_id', 'id'])
    .execute();
  await tenantIndexes(schema, 'dataset_items')(
    'dataset_items_by_position',
    'dataset_id',
    'position',
    'archived_at',
  ).execute();
}

async function experimentTables(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'experiments')
    .addColumn('id', 'text', notNull)
    .addColumn('dataset_id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('lease_id', 'text', notNull)
    .addColumn('lease_until', 'bigint', notNull)
    .addColumn('prompt_id', 'text')
    .addColumn('prompt_name', 'text')
    .addColumn('prompt_version', 'bigint')
    .addColumn('model', 'text', notNull)
    .addColumn('concurrency', 'bigint', notNull)
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('completed_at', 'bigint')
    .addColumn('config', 'text', notNull)
    .addColumn('evaluators', 'text', notNull)
    .addColumn('content', 'text')
    .addPrimaryKeyConstraint('experiments_pk', ['tenant_id', 'id'])
    .execute();
  await tenantIndexes(schema, 'experiments')(
    'experiments_by_dataset',
    'dataset_id',
    'created_at',
    'id',
  ).execute();
  // The index is partial: a process that looks for work reads only unfinished experiments.
  await schema
    .createIndex('experiments_running')
    .on('experiments')
    .columns(['tenant_id', 'lease_until'])
    .where(sql.ref('status'), '=', sql.lit('running'))
    .execute();
  await tenantTable(schema, 'experiment_results')
    .addColumn('experiment_id', 'text', notNull)
    .addColumn('item_id', 'text', notNull)
    .addColumn('position', 'bigint', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('latency_ms', 'bigint')
    .addColumn('tokens_in', 'bigint', notNull)
    .addColumn('tokens_out', 'bigint', notNull)
    .addColumn('cost', 'double precision', notNull)
    .addColumn('evaluation_cost', 'double precision', notNull)
    .addColumn('completed_at', 'bigint')
    .addColumn('error', 'text')
    .addColumn('input_preview', 'text', notNull)
    .addColumn('expected_preview', 'text')
    .addColumn('output_preview', 'text', notNull)
    .addColumn('missing_variables', 'text', notNull)
    .addColumn('ignored_settings', 'text', notNull)
    .addColumn('tool_calls', 'text', notNull)
    .addColumn('input', 'text', notNull)
    .addColumn('expected_output', 'text')
    .addColumn('output', 'text', notNull)
    .addPrimaryKeyConstraint('experiment_results_pk', ['tenant_id', 'experiment_id', 'item_id'])
    .execute();
  await tenantIndexes(schema, 'experiment_results')(
    'experiment_results_by_position',
    'experiment_id',
    'position',
  ).execute();
  await tenantTable(schema, 'experiment_scores')
    .addColumn('experiment_id', 'text', notNull)
    .addColumn('item_id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('value', 'double precision')
    .addColumn('passed', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('experiment_scores_pk', [
      'tenant_id',
      'experiment_id',
      'item_id',
      'name',
    ])
    .execute();
}

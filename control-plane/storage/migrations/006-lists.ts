import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable } from './001-schema/table-parts.ts';

/**
 * Filters, sort orders and totals of runs, and saved views. Existing indexes are widened, so that
 * recording a run or call writes no more of them than before.
 */
export const lists: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.dropIndex('runs_by_start').execute();
    // A list of raw runs reads only this index. In the row, these columns are behind texts, which
    // SQLite would have to read.
    await tenantIndexes(schema, 'runs')(
      'runs_by_start',
      'started_at',
      'id',
      'agent_name',
      'status',
      'completed_at',
      'llm_call_count',
      'tokens',
      'cost',
    ).execute();
    await schema.dropIndex('llm_calls_by_run').execute();
    const callsOfRun = ['run_id', 'created_at', 'id', 'duration_ms'];
    const place = ['span_id', 'parent_span_id', 'started_at', 'time_to_first_token_ms'];
    await tenantIndexes(schema, 'llm_calls')(
      'llm_calls_by_run',
      ...callsOfRun,
      ...place,
      'model',
    ).execute();
    // The index is partial: a span that succeeded costs no entry.
    await tenantIndexes(schema, 'spans')('spans_failed', 'run_id')
      .where(sql.ref('status'), '=', sql.lit('error'))
      .execute();
    await listViews(schema);
  },
};

async function listViews(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'list_views')
    .addColumn('id', 'text', notNull)
    .addColumn('list', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('owner_id', 'text', notNull)
    .addColumn('is_shared', 'bigint', notNull)
    .addColumn('query', 'text', notNull)
    .addColumn('columns', 'text')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('list_views_pk', ['tenant_id', 'id'])
    .execute();
  await tenantIndexes(schema, 'list_views')('list_views_by_list', 'list', 'name', 'id').execute();
  await tenantTable(schema, 'list_view_defaults')
    .addColumn('user_id', 'text', notNull)
    .addColumn('list', 'text', notNull)
    .addColumn('view_id', 'text', notNull)
    .addPrimaryKeyConstraint('list_view_defaults_pk', ['tenant_id', 'user_id', 'list'])
    .execute();
}

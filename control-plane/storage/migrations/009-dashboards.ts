import type { Kysely, SchemaModule } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable } from './001-schema/table-parts.ts';

/**
 * Saved dashboards, and the data that their queries need: the API key that recorded a run, and
 * indexes that cover queries over records.
 */
export const dashboards: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.alterTable('runs').addColumn('api_key_id', 'text').execute();
    await widenedIndexes(schema);
    await tenantTable(schema, 'dashboards')
      .addColumn('id', 'text', notNull)
      .addColumn('name', 'text', notNull)
      .addColumn('owner_id', 'text', notNull)
      .addColumn('is_shared', 'bigint', notNull)
      .addColumn('widgets', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addColumn('updated_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('dashboards_pk', ['tenant_id', 'id'])
      .execute();
    await tenantIndexes(schema, 'dashboards')('dashboards_by_name', 'name', 'id').execute();
  },
};

/**
 * Widens existing indexes instead of adding some, so that recording writes no more entries than
 * before.
 */
async function widenedIndexes(schema: SchemaModule): Promise<void> {
  await schema.dropIndex('runs_by_start').execute();
  const ofRun = ['agent_name', 'status', 'completed_at', 'llm_call_count', 'tokens', 'cost'];
  const subjects = ['user_id', 'user_group', 'api_key_id'];
  await tenantIndexes(schema, 'runs')(
    'runs_by_start',
    'started_at',
    'id',
    ...ofRun,
    ...subjects,
  ).execute();
  await schema.dropIndex('llm_calls_by_time').execute();
  const ofCall = ['agent_name', 'model', 'total_tokens', 'cost'];
  const more = ['run_id', 'provider', 'tokens_in', 'tokens_out', 'cache_read_tokens'];
  await tenantIndexes(schema, 'llm_calls')(
    'llm_calls_by_time',
    'created_at',
    'id',
    ...ofCall,
    ...more,
    'duration_ms',
  ).execute();
}

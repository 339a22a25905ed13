import { type SchemaModule, sql, type Kysely } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import { isLongRun } from '../../long-runs.ts';
import { autoIdTable, notNull, tenantIndexes, tenantTable, withDefault } from './table-parts.ts';

export async function recordingTables(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await workflows(schema, dialect);
  await runs(schema, dialect);
  await llmCalls(schema, dialect);
  await steps(schema, dialect);
  await spans(schema, dialect);
  await scores(schema);
  await events(schema, dialect);
  await recordingBatches(schema);
}

async function workflows(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await autoIdTable(schema, dialect, 'workflows')
    .addColumn('agent_name', 'text', notNull)
    .addColumn('workflow_name', 'text', notNull)
    .addUniqueConstraint('workflows_pair', ['tenant_id', 'agent_name', 'workflow_name'])
    .execute();
}

async function runs(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await autoIdTable(schema, dialect, 'runs')
    .addColumn('workflow_id', 'bigint', notNull)
    .addColumn('agent_name', 'text', notNull)
    .addColumn('workflow_name', 'text', notNull)
    .addColumn('parent_run_id', 'bigint')
    .addColumn('trace_id', 'text')
    .addColumn('session_id', 'text')
    .addColumn('user_id', 'text')
    .addColumn('user_group', 'text')
    .addColumn('tags', 'text', notNull)
    .addColumn('inputs', 'text')
    .addColumn('metadata', 'text')
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('status', 'text', notNull)
    .addColumn('started_at', 'bigint', notNull)
    .addColumn('completed_at', 'bigint')
    .addColumn('llm_call_count', 'bigint', notNull)
    .addColumn('tokens', 'bigint', notNull)
    .addColumn('cost', 'double precision', notNull)
    // JSON by policy: the values that policies stored when the run started.
    .addColumn('remembered', 'text')
    .addColumn('end_user_id', 'text')
    // The capture that the run was created from, and its device.
    .addColumn('capture_id', 'text')
    .addColumn('device_id', 'text')
    .execute();
  const index = tenantIndexes(schema, 'runs');
  await index('runs_by_start', 'started_at', 'id').execute();
  await index('runs_by_agent', 'agent_name', 'started_at', 'id').execute();
  await index('runs_by_session_id', 'session_id', 'started_at', 'id')
    .where(sql.ref('session_id'), 'is not', null)
    .execute();
  await index('runs_by_user_id', 'user_id', 'started_at', 'id')
    .where(sql.ref('user_id'), 'is not', null)
    .execute();
  await index('runs_by_status', 'status', 'started_at', 'id').execute();
  // The runs of a period are those that started in it or shortly before it, and the few long ones
  // in this index. It holds every column that the query reads, and short runs have no entry.
  await index('long_runs', 'completed_at', 'started_at', 'session_id', 'user_id', 'agent_name')
    .where(isLongRun)
    .execute();
  // The index is partial: a run that a client recorded costs no entry.
  await index('runs_by_capture', 'capture_id')
    .where(sql.ref('capture_id'), 'is not', null)
    .execute();
}

/** A call and its texts share one row (decision 7). */
async function llmCalls(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await autoIdTable(schema, dialect, 'llm_calls')
    .addColumn('run_id', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('model', 'text', notNull)
    .addColumn('task', 'text')
    .addColumn('agent_name', 'text', notNull)
    .addColumn('workflow_name', 'text', notNull)
    .addColumn('tokens_in', 'bigint', notNull)
    .addColumn('tokens_out', 'bigint', notNull)
    .addColumn('total_tokens', 'bigint', notNull)
    .addColumn('cost', 'double precision', notNull)
    .addColumn('cost_source', 'text', notNull)
    .addColumn('prompt_hash', 'text', notNull)
    .addColumn('prompt_preview', 'text', withDefault(''))
    .addColumn('response_preview', 'text', withDefault(''))
    .addColumn('cache_read_tokens', 'bigint', withDefault(0))
    .addColumn('cache_write_tokens', 'bigint', withDefault(0))
    .addColumn('provider', 'text')
    .addColumn('duration_ms', 'bigint')
    // 1 if the usage of the prompt includes the call: only then may it be subtracted.
    .addColumn('prompt_counted', 'bigint', withDefault(0))
    // The provider's id of the response, which identifies a call that is reported twice.
    .addColumn('response_id', 'text')
    .execute();
  const index = tenantIndexes(schema, 'llm_calls');
  // Filters, sorting and totals of raw calls read only this index. It grows at its end, so it costs
  // recording little.
  await index(
    'llm_calls_by_time',
    'created_at',
    'id',
    'agent_name',
    'model',
    'total_tokens',
    'cost',
  ).execute();
  // The index holds only calls without a price, so that recording other calls costs nothing.
  await index('llm_calls_unpriced', 'model', 'provider', 'total_tokens')
    .where(sql.ref('cost_source'), '=', sql.lit('unpriced'))
    .execute();
  await index('llm_calls_by_run', 'run_id', 'created_at', 'id').execute();
  // The index is partial: a call without a response id costs no entry.
  await index('llm_calls_by_response', 'response_id')
    .unique()
    .where(sql.ref('response_id'), 'is not', null)
    .execute();
}

async function steps(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await autoIdTable(schema, dialect, 'steps')
    .addColumn('run_id', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('step_name', 'text', notNull)
    .addColumn('output', 'text')
    .execute();
  const index = tenantIndexes(schema, 'steps');
  await index('steps_by_run', 'run_id', 'id').execute();
}

async function spans(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await autoIdTable(schema, dialect, 'spans')
    .addColumn('run_id', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('duration_ms', 'bigint')
    .addColumn('position', 'bigint', notNull)
    .addColumn('attributes', 'text')
    .addColumn('input_data', 'text')
    .addColumn('output_data', 'text')
    .execute();
  const index = tenantIndexes(schema, 'spans');
  await index('spans_by_run', 'run_id', 'position', 'id').execute();
}

async function scores(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'scores')
    .addColumn('id', 'text', notNull)
    .addColumn('run_id', 'bigint', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('data_type', 'text', notNull)
    .addColumn('source', 'text', notNull)
    .addColumn('numeric_value', 'double precision')
    .addColumn('string_value', 'text')
    .addColumn('comment', 'text')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('run_agent_name', 'text', withDefault(''))
    .addColumn('llm_call_id', 'bigint')
    .addColumn('llm_call_model', 'text')
    .addColumn('metadata', 'text')
    .addColumn('author_user_id', 'text')
    .addColumn('evaluator_id', 'text')
    .addColumn('evaluator_name', 'text')
    .addPrimaryKeyConstraint('scores_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'scores');
  await index('scores_by_run', 'run_id', 'id').execute();
  await index('scores_by_time', 'created_at', 'id').execute();
  // Scores of one name or source, and all scores sorted by either, are read without a scan.
  await index('scores_by_name', 'name', 'created_at', 'id').execute();
  await index('scores_by_source', 'source', 'created_at', 'id').execute();
}

async function events(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await autoIdTable(schema, dialect, 'events')
    .addColumn('event_type', 'text')
    .addColumn('agent_name', 'text')
    .addColumn('action', 'text')
    .addColumn('operator', 'text')
    .addColumn('reason', 'text')
    .addColumn('run_id', 'bigint')
    .addColumn('occurred_at', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('body', 'text', notNull)
    .execute();
  const index = tenantIndexes(schema, 'events');
  await index('events_by_time', 'occurred_at', 'id').execute();
  await index('events_by_type', 'event_type', 'occurred_at', 'id').execute();
  await index('events_by_agent', 'agent_name', 'occurred_at', 'id').execute();
  await index('events_by_run', 'run_id', 'occurred_at', 'id').execute();
}

/** Received batches, by which a batch that is sent again is recognised and ignored. */
async function recordingBatches(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'recording_batches')
    .addColumn('batch_id', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('run_id', 'bigint')
    .addColumn('item_count', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('recording_batches_pk', ['tenant_id', 'batch_id'])
    .execute();
  const index = tenantIndexes(schema, 'recording_batches');
  await index('recording_batches_by_time', 'created_at').execute();
}

/** Creates the tables of the search index, whose own structure differs between the databases. */
export async function searchTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await autoIdTable(db.schema, dialect, 'search_changes')
    .addColumn('first_id', 'bigint', notNull)
    .addColumn('last_id', 'bigint', notNull)
    .execute();
  await dialect.search.create(db);
}

import type { Kysely, SchemaModule } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { countedTable } from './counted-table.ts';

/** The tenant leads every key and index, so that a distributed PostgreSQL can shard by it. */
export function firstSchema(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await tenancy(db.schema);
      await identity(db.schema, dialect);
      await recording(db.schema, dialect);
      await details(db.schema, dialect);
      await devices(db.schema);
      await reports(db.schema);
      await guard(db.schema);
    },
  };
}

async function tenancy(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('tenants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('config_version', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('authorities')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('certificate', 'text', (column) => column.notNull())
    .addColumn('private_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('authorities_pk', ['tenant_id', 'id'])
    .execute();
}

async function identity(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await schema
    .createTable('api_keys')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('permissions', 'text', (column) => column.notNull())
    .addColumn('profile_hosts', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('api_keys_pk', ['tenant_id', 'id'])
    .execute();
  await schema
    .createTable('users')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('users_pk', ['tenant_id', 'id'])
    .execute();
  await schema
    .createTable('sessions')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('sessions_pk', ['tenant_id', 'id'])
    .execute();
  await dialect
    .autoId(schema.createTable('sign_in_failures'), {
      name: 'sign_in_failures_pk',
      columns: ['id'],
    })
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('sign_in_failures_by_account')
    .on('sign_in_failures')
    .columns(['email', 'address', 'at'])
    .execute();
}

async function recording(schema: SchemaModule, dialect: Dialect): Promise<void> {
  const tenantTable = (name: string) => countedTable(schema, dialect, name);
  await tenantTable('workflows')
    .addColumn('agent_name', 'text', (column) => column.notNull())
    .addColumn('workflow_name', 'text', (column) => column.notNull())
    .addUniqueConstraint('workflows_pair', ['tenant_id', 'agent_name', 'workflow_name'])
    .execute();
  await tenantTable('runs')
    .addColumn('workflow_id', 'bigint', (column) => column.notNull())
    .addColumn('agent_name', 'text', (column) => column.notNull())
    .addColumn('workflow_name', 'text', (column) => column.notNull())
    .addColumn('parent_run_id', 'bigint')
    .addColumn('trace_id', 'text')
    .addColumn('session_id', 'text')
    .addColumn('user_id', 'text')
    .addColumn('user_group', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('inputs', 'text')
    .addColumn('metadata', 'text')
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('completed_at', 'bigint')
    .addColumn('llm_call_count', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost', 'double precision', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('runs_by_start')
    .on('runs')
    .columns(['tenant_id', 'started_at', 'id'])
    .execute();
  await schema
    .createIndex('runs_by_agent')
    .on('runs')
    .columns(['tenant_id', 'agent_name', 'started_at', 'id'])
    .execute();
}

async function details(schema: SchemaModule, dialect: Dialect): Promise<void> {
  const ofRun = (table: string) =>
    countedTable(schema, dialect, table)
      .addColumn('run_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull());
  await ofRun('llm_calls')
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('task', 'text')
    .addColumn('agent_name', 'text', (column) => column.notNull())
    .addColumn('workflow_name', 'text', (column) => column.notNull())
    .addColumn('tokens_in', 'bigint', (column) => column.notNull())
    .addColumn('tokens_out', 'bigint', (column) => column.notNull())
    .addColumn('total_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost', 'double precision', (column) => column.notNull())
    .addColumn('cost_source', 'text', (column) => column.notNull())
    .addColumn('prompt_hash', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('llm_call_bodies')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('llm_call_id', 'bigint', (column) => column.notNull())
    .addColumn('prompt_preview', 'text', (column) => column.notNull())
    .addColumn('response_preview', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('llm_call_bodies_pk', ['tenant_id', 'llm_call_id'])
    .execute();
  await ofRun('steps')
    .addColumn('step_name', 'text', (column) => column.notNull())
    .addColumn('output', 'text')
    .execute();
  await ofRun('spans')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('duration_ms', 'bigint')
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('attributes', 'text')
    .addColumn('input_data', 'text')
    .addColumn('output_data', 'text')
    .execute();
  await schema
    .createTable('scores')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('run_id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('data_type', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('numeric_value', 'double precision')
    .addColumn('string_value', 'text')
    .addColumn('comment', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('scores_pk', ['tenant_id', 'id'])
    .execute();
  for (const table of ['llm_calls', 'steps', 'spans', 'scores'])
    await schema
      .createIndex(`${table}_by_run`)
      .on(table)
      .columns(['tenant_id', 'run_id', 'id'])
      .execute();
}

async function devices(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('devices')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('hardware_id', 'text', (column) => column.notNull())
    .addColumn('hostname', 'text', (column) => column.notNull())
    .addColumn('os', 'text', (column) => column.notNull())
    .addColumn('os_version', 'text', (column) => column.notNull())
    .addColumn('agent_version', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('user_group', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('api_key_id', 'text', (column) => column.notNull())
    .addColumn('enrolled_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addColumn('disconnected_at', 'bigint')
    .addColumn('applied_version', 'bigint', (column) => column.notNull())
    .addColumn('problems', 'text', (column) => column.notNull())
    .addColumn('scanned_at', 'bigint')
    .addPrimaryKeyConstraint('devices_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('devices_hardware', ['tenant_id', 'hardware_id'])
    .execute();
  await schema
    .createTable('device_identities')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull().unique())
    .addColumn('serial', 'text', (column) => column.notNull())
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('device_identities_pk', ['tenant_id', 'device_id', 'serial'])
    .execute();
}

async function reports(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('device_batches')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('batch_id', 'text', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('device_batches_pk', ['tenant_id', 'device_id', 'batch_id'])
    .execute();
  await schema
    .createIndex('device_batches_by_time')
    .on('device_batches')
    .columns(['tenant_id', 'device_id', 'received_at'])
    .execute();
  await schema
    .createTable('apps')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('catalog_id', 'text')
    .addColumn('version', 'text')
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('user', 'text')
    .addColumn('confidence', 'double precision', (column) => column.notNull())
    .addColumn('evidence', 'text', (column) => column.notNull())
    .addColumn('risk_flags', 'text', (column) => column.notNull())
    .addColumn('first_seen', 'bigint', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('apps_pk', ['tenant_id', 'id'])
    .execute();
  await schema
    .createIndex('apps_by_device')
    .on('apps')
    .columns(['tenant_id', 'device_id', 'kind', 'name'])
    .execute();
  await schema
    .createTable('flows')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('app_id', 'text')
    .addColumn('process', 'text')
    .addColumn('path', 'text')
    .addColumn('pid', 'bigint')
    .addColumn('user', 'text')
    .addColumn('host', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('port', 'bigint', (column) => column.notNull())
    .addColumn('protocol', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('bytes_in', 'bigint')
    .addColumn('bytes_out', 'bigint')
    .addPrimaryKeyConstraint('flows_pk', ['tenant_id', 'device_id', 'id'])
    .execute();
  await schema
    .createIndex('flows_by_start')
    .on('flows')
    .columns(['tenant_id', 'started_at', 'id'])
    .execute();
  await schema
    .createIndex('flows_by_device')
    .on('flows')
    .columns(['tenant_id', 'device_id', 'started_at', 'id'])
    .execute();
}

async function guard(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('guard_layers')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('layer', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('guard_layers_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('guard_layers_place', ['tenant_id', 'layer', 'scope'])
    .execute();
}

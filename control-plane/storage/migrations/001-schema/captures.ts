import type { SchemaModule } from 'kysely';
import { notNull, tenantIndexes, tenantTable } from './table-parts.ts';

export async function captureTables(schema: SchemaModule): Promise<void> {
  await captures(schema);
  await captureAgents(schema);
  await capturePauses(schema);
}

async function captures(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'captures')
    .addColumn('id', 'text', notNull)
    .addColumn('device_id', 'text', notNull)
    .addColumn('host', 'text', notNull)
    .addColumn('method', 'text', notNull)
    .addColumn('path', 'text', notNull)
    .addColumn('redactions', 'text', notNull)
    .addColumn('app_id', 'text')
    .addColumn('process', 'text')
    .addColumn('user', 'text')
    .addColumn('request_type', 'text')
    .addColumn('response_type', 'text')
    .addColumn('model', 'text')
    .addColumn('provider', 'text')
    .addColumn('started_at', 'bigint', notNull)
    .addColumn('received_at', 'bigint', notNull)
    .addColumn('request_bytes', 'bigint', notNull)
    .addColumn('response_bytes', 'bigint', notNull)
    .addColumn('status', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('tokens_in', 'bigint')
    .addColumn('tokens_out', 'bigint')
    .addColumn('request_truncated', 'integer', notNull)
    .addColumn('response_truncated', 'integer', notNull)
    // Lists do not show the bodies. They are the last columns, so that lists need not read past
    // them.
    .addColumn('request_body', 'text')
    .addColumn('response_body', 'text')
    .addColumn('response_id', 'text')
    .addPrimaryKeyConstraint('captures_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'captures');
  await index('captures_by_start', 'started_at', 'id').execute();
  await index('captures_by_device_id', 'device_id', 'started_at', 'id').execute();
  await index('captures_by_host', 'host', 'started_at', 'id').execute();
  await index('captures_by_app_id', 'app_id', 'started_at', 'id').execute();
}

async function captureAgents(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'capture_agents')
    // Empty for any device or app, because nulls would not be unique.
    .addColumn('device_id', 'text', notNull)
    .addColumn('app', 'text', notNull)
    .addColumn('agent_name', 'text')
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('updated_by', 'text', notNull)
    .addPrimaryKeyConstraint('capture_agents_pk', ['tenant_id', 'device_id', 'app'])
    .execute();
}

async function capturePauses(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'capture_pauses')
    .addColumn('device_id', 'text', notNull)
    .addColumn('id', 'text', notNull)
    .addColumn('user', 'text', notNull)
    .addColumn('started_at', 'bigint', notNull)
    .addColumn('minutes', 'bigint', notNull)
    .addColumn('ended_at', 'bigint')
    .addColumn('ended_by', 'text')
    .addPrimaryKeyConstraint('capture_pauses_pk', ['tenant_id', 'device_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'capture_pauses');
  await index('capture_pauses_by_time', 'started_at').execute();
}

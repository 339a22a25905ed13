import { type SchemaModule, sql } from 'kysely';
import { notNull, tenantIndexes, tenantTable, withDefault } from './table-parts.ts';

export async function deviceReportTables(schema: SchemaModule): Promise<void> {
  await deviceBatches(schema);
  await apps(schema);
  await flows(schema);
  await observationGaps(schema);
}

/** Received batches, by which a batch that is sent again is recognised and ignored. */
async function deviceBatches(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'device_batches')
    .addColumn('device_id', 'text', notNull)
    .addColumn('batch_id', 'text', notNull)
    .addColumn('received_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('device_batches_pk', ['tenant_id', 'device_id', 'batch_id'])
    .execute();
  const index = tenantIndexes(schema, 'device_batches');
  // Retention deletes old batches.
  await index('device_batches_by_time', 'received_at', 'device_id', 'batch_id').execute();
}

async function apps(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'apps')
    .addColumn('id', 'text', notNull)
    .addColumn('device_id', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('catalog_id', 'text')
    .addColumn('version', 'text')
    .addColumn('path', 'text', notNull)
    .addColumn('user', 'text')
    .addColumn('confidence', 'double precision', notNull)
    .addColumn('evidence', 'text', notNull)
    .addColumn('risk_flags', 'text', notNull)
    .addColumn('first_seen', 'bigint', notNull)
    .addColumn('last_seen', 'bigint', notNull)
    // Empty until the background job has put the app into its group.
    .addColumn('group_id', 'text', withDefault(''))
    .addPrimaryKeyConstraint('apps_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'apps');
  await index('apps_by_device', 'device_id', 'kind', 'name').execute();
  await index('apps_by_name', 'kind', 'name', 'id').execute();
  await index('apps_by_last_seen', 'last_seen', 'id').execute();
  await index('apps_by_group', 'group_id', 'device_id', 'id').execute();
}

async function flows(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'flows')
    .addColumn('device_id', 'text', notNull)
    .addColumn('id', 'text', notNull)
    .addColumn('app_id', 'text')
    .addColumn('process', 'text')
    .addColumn('path', 'text')
    .addColumn('pid', 'bigint')
    .addColumn('user', 'text')
    .addColumn('host', 'text')
    .addColumn('address', 'text', notNull)
    .addColumn('port', 'bigint', notNull)
    .addColumn('protocol', 'text', notNull)
    .addColumn('started_at', 'bigint', notNull)
    .addColumn('ended_at', 'bigint')
    .addColumn('bytes_in', 'bigint')
    .addColumn('bytes_out', 'bigint')
    .addPrimaryKeyConstraint('flows_pk', ['tenant_id', 'device_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'flows');
  await index('flows_by_start', 'started_at', 'id').execute();
  await index('flows_by_device', 'device_id', 'started_at', 'id').execute();
  await index('flows_by_host', 'host', 'started_at', 'id').execute();
  await index('flows_by_process', 'process', 'started_at', 'id').execute();
  // Lists can leave out flows whose host is unknown.
  await index('flows_of_known_hosts', 'started_at', 'id')
    .where(sql.ref('host'), 'is not', null)
    .execute();
}

async function observationGaps(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'observation_gaps')
    .addColumn('device_id', 'text', notNull)
    .addColumn('reason', 'text', notNull)
    .addColumn('started_at', 'bigint', notNull)
    .addColumn('ended_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('observation_gaps_pk', [
      'tenant_id',
      'device_id',
      'started_at',
      'reason',
    ])
    .execute();
  const index = tenantIndexes(schema, 'observation_gaps');
  await index('observation_gaps_by_time', 'started_at').execute();
}

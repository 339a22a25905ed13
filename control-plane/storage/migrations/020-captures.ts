import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Captured exchanges; what a device says of its spool; and indexes by which lists of reports are
 * filtered and old ones deleted.
 */
export const captures: Migration = {
  async up(db: Kysely<unknown>) {
    await createCaptures(db);
    for (const counter of ['queued', 'dropped'])
      await db.schema
        .alterTable('devices')
        .addColumn(counter, 'bigint', (to) => to.notNull().defaultTo(0))
        .execute();
    await index(db, 'captures', 'start', 'started_at', 'id');
    for (const by of ['device_id', 'host', 'app_id'])
      await index(db, 'captures', by, by, 'started_at', 'id');
    for (const by of ['host', 'process']) await index(db, 'flows', by, by, 'started_at', 'id');
    await db.schema
      .createIndex('flows_of_known_hosts')
      .on('flows')
      .columns(['tenant_id', 'started_at', 'id'])
      .where(sql.ref('host'), 'is not', null)
      .execute();
    await index(db, 'apps', 'name', 'kind', 'name', 'id');
    await index(db, 'apps', 'last_seen', 'last_seen', 'id');
    await db.schema.dropIndex('device_batches_by_time').execute();
    await index(db, 'device_batches', 'time', 'received_at', 'device_id', 'batch_id');
  },
};

const index = (db: Kysely<unknown>, table: string, by: string, ...columns: string[]) =>
  db.schema
    .createIndex(`${table}_by_${by}`)
    .on(table)
    .columns(['tenant_id', ...columns])
    .execute();

async function createCaptures(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('captures')
    .addColumn('tenant_id', 'text', (to) => to.notNull());
  for (const name of ['id', 'device_id', 'host', 'method', 'path', 'redactions'])
    table = table.addColumn(name, 'text', (to) => to.notNull());
  for (const name of ['app_id', 'process', 'user', 'request_type', 'response_type'])
    table = table.addColumn(name, 'text');
  for (const name of ['model', 'provider']) table = table.addColumn(name, 'text');
  for (const name of ['started_at', 'received_at', 'request_bytes', 'response_bytes'])
    table = table.addColumn(name, 'bigint', (to) => to.notNull());
  for (const name of ['status', 'ended_at', 'tokens_in', 'tokens_out'])
    table = table.addColumn(name, 'bigint');
  for (const name of ['request_truncated', 'response_truncated'])
    table = table.addColumn(name, 'integer', (to) => to.notNull());
  // Last, so that lists, which do not show them, need not read past them.
  for (const name of ['request_body', 'response_body']) table = table.addColumn(name, 'text');
  await table.addPrimaryKeyConstraint('captures_pk', ['tenant_id', 'id'] as never).execute();
}

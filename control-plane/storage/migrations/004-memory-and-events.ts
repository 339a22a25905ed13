import type { Kysely, SchemaModule } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { countedTable } from './counted-table.ts';

export function memoryAndEvents(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await memory(db.schema);
      await events(db.schema, dialect);
    },
  };
}

/** Large columns stand last, because SQLite reads a row from its beginning. */
async function memory(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('memory_slots')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('memory_type', 'text')
    .addColumn('scope_key', 'text', (column) => column.notNull())
    .addColumn('slot_name', 'text', (column) => column.notNull())
    .addColumn('run_id', 'bigint', (column) => column.notNull())
    .addColumn('item_count', 'bigint')
    .addColumn('appended', 'bigint')
    .addColumn('max_items', 'bigint')
    .addColumn('importance', 'double precision')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('fact_key', 'text')
    .addColumn('source_tool', 'text')
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    // A type name that SQLite does not know: it keeps bytes as they are.
    .addColumn('embedding', 'bytea')
    .addColumn('content', 'text')
    .addColumn('metadata', 'text')
    .addColumn('data', 'text')
    .addPrimaryKeyConstraint('memory_slots_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('memory_slots_identity', ['tenant_id', 'identity'])
    .execute();
  await schema
    .createTable('memory_items')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('slot_id', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('memory_items_pk', ['tenant_id', 'slot_id', 'position'])
    .execute();
  for (const [name, columns] of [
    ['scope', ['scope_key', 'id']],
    ['run', ['run_id', 'id']],
    ['expiry', ['expires_at', 'id']],
  ] as const)
    await schema
      .createIndex(`memory_slots_by_${name}`)
      .on('memory_slots')
      .columns(['tenant_id', ...columns])
      .execute();
}

async function events(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await countedTable(schema, dialect, 'events')
    .addColumn('event_type', 'text')
    .addColumn('agent_name', 'text')
    .addColumn('action', 'text')
    .addColumn('operator', 'text')
    .addColumn('reason', 'text')
    .addColumn('run_id', 'bigint')
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  for (const [name, columns] of [
    ['time', []],
    ['type', ['event_type']],
    ['agent', ['agent_name']],
    ['run', ['run_id']],
  ] as const)
    await schema
      .createIndex(`events_by_${name}`)
      .on('events')
      .columns(['tenant_id', ...columns, 'occurred_at', 'id'])
      .execute();
}

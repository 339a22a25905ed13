import type { SchemaModule } from 'kysely';
import { notNull, tenantIndexes, tenantTable } from './table-parts.ts';

export async function memoryTables(schema: SchemaModule): Promise<void> {
  await memorySlots(schema);
  await memoryItems(schema);
}

/** The large columns come last, because SQLite reads a row from its beginning. */
async function memorySlots(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'memory_slots')
    .addColumn('id', 'text', notNull)
    .addColumn('identity', 'text', notNull)
    .addColumn('type', 'text', notNull)
    .addColumn('memory_type', 'text')
    .addColumn('scope_key', 'text', notNull)
    .addColumn('slot_name', 'text', notNull)
    .addColumn('run_id', 'bigint', notNull)
    .addColumn('item_count', 'bigint')
    .addColumn('appended', 'bigint')
    .addColumn('max_items', 'bigint')
    .addColumn('importance', 'double precision')
    .addColumn('tags', 'text', notNull)
    .addColumn('fact_key', 'text')
    .addColumn('source_tool', 'text')
    .addColumn('preview', 'text', notNull)
    .addColumn('size_bytes', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint')
    // SQLite does not know this type name and stores the bytes unchanged.
    .addColumn('embedding', 'bytea')
    .addColumn('content', 'text')
    .addColumn('metadata', 'text')
    .addColumn('data', 'text')
    .addPrimaryKeyConstraint('memory_slots_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('memory_slots_identity', ['tenant_id', 'identity'])
    .execute();
  const index = tenantIndexes(schema, 'memory_slots');
  await index('memory_slots_by_scope', 'scope_key', 'id').execute();
  await index('memory_slots_by_run', 'run_id', 'id').execute();
  await index('memory_slots_by_expiry', 'expires_at', 'id').execute();
  // Retention searches for the slots that were updated longest ago.
  await index('memory_slots_by_update', 'updated_at', 'id').execute();
}

async function memoryItems(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'memory_items')
    .addColumn('slot_id', 'text', notNull)
    .addColumn('position', 'bigint', notNull)
    .addColumn('size_bytes', 'bigint', notNull)
    .addColumn('data', 'text', notNull)
    .addPrimaryKeyConstraint('memory_items_pk', ['tenant_id', 'slot_id', 'position'])
    .execute();
}

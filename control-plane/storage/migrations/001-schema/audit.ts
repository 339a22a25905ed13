import type { SchemaModule } from 'kysely';
import { notNull, primaryKey, tenantIndexes, tenantTable } from './table-parts.ts';

export async function auditTables(schema: SchemaModule): Promise<void> {
  await auditEntries(schema);
  await auditHeads(schema);
  await auditTotals(schema);
  await auditExports(schema);
  await auditExportChunks(schema);
}

async function auditEntries(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'audit_entries')
    .addColumn('sequence', 'bigint', notNull)
    .addColumn('id', 'text', notNull)
    .addColumn('actor_type', 'text', notNull)
    .addColumn('actor_id', 'text', notNull)
    .addColumn('action', 'text', notNull)
    .addColumn('resource_type', 'text', notNull)
    .addColumn('resource_id', 'text', notNull)
    .addColumn('metadata', 'text', notNull)
    .addColumn('ip', 'text')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('previous_hash', 'text', notNull)
    .addColumn('hash', 'text', notNull)
    .addPrimaryKeyConstraint('audit_entries_pk', ['tenant_id', 'sequence'])
    .execute();
  const index = tenantIndexes(schema, 'audit_entries');
  await index('audit_entries_by_time', 'created_at', 'sequence').execute();
  await index('audit_entries_by_kind', 'actor_type', 'action', 'created_at', 'sequence').execute();
}

async function auditHeads(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('audit_heads')
    .addColumn('tenant_id', 'text', primaryKey)
    .addColumn('sequence', 'bigint', notNull)
    .addColumn('hash', 'text', notNull)
    // A keyed hash of the other columns.
    .addColumn('seal', 'text', notNull)
    .execute();
}

async function auditTotals(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'audit_totals')
    .addColumn('actor_type', 'text', notNull)
    .addColumn('action', 'text', notNull)
    .addColumn('day', 'bigint', notNull)
    .addColumn('count', 'bigint', notNull)
    .addPrimaryKeyConstraint('audit_totals_pk', ['tenant_id', 'actor_type', 'action', 'day'])
    .execute();
}

async function auditExports(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'audit_exports')
    .addColumn('id', 'text', notNull)
    .addColumn('format', 'text', notNull)
    .addColumn('start_date', 'bigint')
    .addColumn('end_date', 'bigint')
    .addColumn('last_sequence', 'bigint', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('error', 'text')
    // The process that works on the export, and when its lease expires.
    .addColumn('lease_owner', 'text', notNull)
    .addColumn('lease_until', 'bigint', notNull)
    .addColumn('position', 'bigint', notNull)
    .addColumn('chunk_count', 'bigint', notNull)
    .addColumn('entry_count', 'bigint', notNull)
    .addColumn('byte_count', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('completed_at', 'bigint')
    .addPrimaryKeyConstraint('audit_exports_pk', ['tenant_id', 'id'])
    .execute();
}

/** A file is stored in chunks, so that any process can serve it. */
async function auditExportChunks(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'audit_export_chunks')
    .addColumn('export_id', 'text', notNull)
    .addColumn('number', 'bigint', notNull)
    .addColumn('content', 'bytea', notNull)
    .addPrimaryKeyConstraint('audit_export_chunks_pk', ['tenant_id', 'export_id', 'number'])
    .execute();
}

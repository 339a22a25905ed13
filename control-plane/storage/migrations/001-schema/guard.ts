import type { SchemaModule } from 'kysely';
import { notNull, tenantIndexes, tenantTable } from './table-parts.ts';

export async function guardTables(schema: SchemaModule): Promise<void> {
  await guardLayers(schema);
  await guardChanges(schema);
}

async function guardLayers(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'guard_layers')
    .addColumn('id', 'text', notNull)
    .addColumn('layer', 'text', notNull)
    // Empty for the global layer, because nulls would not be unique.
    .addColumn('scope', 'text', notNull)
    .addColumn('config', 'text', notNull)
    .addColumn('version', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('updated_by', 'text', notNull)
    .addPrimaryKeyConstraint('guard_layers_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('guard_layers_place', ['tenant_id', 'layer', 'scope'])
    .execute();
}

async function guardChanges(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'guard_changes')
    .addColumn('id', 'text', notNull)
    .addColumn('version', 'bigint', notNull)
    .addColumn('change', 'text', notNull)
    .addColumn('layer', 'text', notNull)
    .addColumn('scope', 'text', notNull)
    .addColumn('layer_id', 'text', notNull)
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('reverts', 'text')
    .addColumn('changed_by', 'text', notNull)
    .addColumn('changed_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('guard_changes_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('guard_changes_by_version', ['tenant_id', 'version'])
    .execute();
  const index = tenantIndexes(schema, 'guard_changes');
  await index('guard_changes_by_place', 'layer', 'scope', 'version').execute();
}

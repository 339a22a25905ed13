import { type SchemaModule, sql } from 'kysely';
import { notNull, tenantIndexes, tenantTable } from './table-parts.ts';

export async function inventoryTables(schema: SchemaModule): Promise<void> {
  await appGroups(schema);
  await appChanges(schema);
  await inventoryRules(schema);
  await inventoryBlocks(schema);
}

/** One row per app of the fleet, because lists must not aggregate millions of apps. */
async function appGroups(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'app_groups')
    .addColumn('catalog_id', 'text')
    .addColumn('id', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('versions', 'text', notNull)
    .addColumn('risk_flags', 'text', notNull)
    .addColumn('oldest_version', 'text')
    .addColumn('newest_version', 'text')
    .addColumn('oldest_key', 'text')
    .addColumn('first_seen', 'bigint', notNull)
    .addColumn('last_seen', 'bigint', notNull)
    .addColumn('device_count', 'bigint', notNull)
    .addColumn('gone_count', 'bigint', notNull)
    .addColumn('user_count', 'bigint', notNull)
    .addColumn('version_count', 'bigint', notNull)
    // Incremented with every aggregation, so that an older result replaces no newer one.
    .addColumn('revision', 'bigint', notNull)
    .addPrimaryKeyConstraint('app_groups_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'app_groups');
  await index('app_groups_by_device_count', 'device_count', 'id').execute();
  await index('app_groups_by_first_seen', 'first_seen', 'id').execute();
  await index('app_groups_by_name', 'name', 'id').execute();
}

async function appChanges(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'app_changes')
    .addColumn('group_id', 'text', notNull)
    .addColumn('device_id', 'text', notNull)
    // Replaced with every change, so that a change during processing is processed again.
    .addColumn('token', 'text', notNull)
    .addPrimaryKeyConstraint('app_changes_pk', ['tenant_id', 'group_id', 'device_id'])
    .execute();
}

async function inventoryRules(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'inventory_rules')
    .addColumn('id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('description', 'text', notNull)
    .addColumn('enabled', 'integer', notNull)
    .addColumn('condition', 'text', notNull)
    .addColumn('scope', 'text', notNull)
    .addColumn('action', 'text', notNull)
    .addColumn('evaluated_to', 'text')
    // A deleted rule is kept until its incidents are resolved.
    .addColumn('deleted_at', 'bigint')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('updated_by', 'text', notNull)
    .addPrimaryKeyConstraint('inventory_rules_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'inventory_rules');
  // The name of a deleted rule can be used again.
  await index('inventory_rules_by_name', 'name')
    .unique()
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();
}

async function inventoryBlocks(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'inventory_blocks')
    .addColumn('device_id', 'text', notNull)
    .addColumn('rule_id', 'text', notNull)
    .addColumn('app_group_id', 'text', notNull)
    .addColumn('app_name', 'text', notNull)
    .addColumn('processes', 'text', notNull)
    .addPrimaryKeyConstraint('inventory_blocks_pk', [
      'tenant_id',
      'device_id',
      'rule_id',
      'app_group_id',
    ])
    .execute();
}

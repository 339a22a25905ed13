import type { SchemaModule } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import { notNull, primaryKey, tenantTable } from './table-parts.ts';

export async function tenancyTables(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await tenants(schema);
  await tenantSettings(schema);
  await tenantAddOns(schema);
  await quotaDays(schema, dialect);
}

async function tenants(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('tenants')
    .addColumn('id', 'text', primaryKey)
    .addColumn('name', 'text', notNull)
    // Incremented with every change that devices must receive.
    .addColumn('config_version', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('parent_id', 'text')
    .addColumn('slug', 'text')
    .addColumn('external_id', 'text')
    .addColumn('contact_email', 'text')
    .addColumn('suspend_reason', 'text')
    .addColumn('region_code', 'text')
    .addColumn('max_agents', 'bigint')
    .addColumn('max_tokens_per_day', 'bigint')
    .addColumn('max_agent_runs_per_day', 'bigint')
    // Null while the tenant is active.
    .addColumn('suspended_at', 'bigint')
    .addColumn('updated_at', 'bigint')
    .execute();
  // Nulls never conflict, so neither tenants without a parent nor tenants without an external id
  // do.
  await schema
    .createIndex('tenants_by_slug')
    .on('tenants')
    .columns(['parent_id', 'slug'])
    .unique()
    .execute();
  await schema
    .createIndex('tenants_by_external_id')
    .on('tenants')
    .columns(['parent_id', 'external_id'])
    .unique()
    .execute();
}

async function tenantSettings(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('tenant_settings')
    .addColumn('tenant_id', 'text', primaryKey)
    .addColumn('retention_days', 'bigint')
    .addColumn('masking', 'text', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('updated_by', 'text', notNull)
    // Null if captures are kept as long as everything else.
    .addColumn('capture_retention_days', 'bigint')
    .execute();
}

async function tenantAddOns(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'tenant_add_ons')
    .addColumn('code', 'text', notNull)
    .addColumn('activated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('tenant_add_ons_pk', ['tenant_id', 'code'])
    .execute();
}

async function quotaDays(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'quota_days')
        .addColumn('day', 'bigint', notNull)
        .addColumn('run_count', 'bigint', notNull)
        .addColumn('total_tokens', 'bigint', notNull)
        .addPrimaryKeyConstraint('quota_days_pk', ['tenant_id', 'day']),
    )
    .execute();
}

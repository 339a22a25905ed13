import type { SchemaModule } from 'kysely';
import { notNull, tenantTable, withDefault } from './table-parts.ts';

export async function promptTables(schema: SchemaModule): Promise<void> {
  await prompts(schema);
  await promptVersions(schema);
  await promptLabels(schema);
  await promptUsage(schema);
}

async function prompts(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'prompts')
    .addColumn('id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('description', 'text', notNull)
    .addColumn('prompt_type', 'text', notNull)
    .addColumn('tags', 'text', notNull)
    .addColumn('metadata', 'text', notNull)
    .addColumn('latest_version', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('prompts_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('prompts_name', ['tenant_id', 'name'])
    .execute();
}

/** The content is the last column, because SQLite reads a row from its beginning. */
async function promptVersions(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'prompt_versions')
    .addColumn('prompt_id', 'text', notNull)
    .addColumn('version', 'bigint', notNull)
    .addColumn('config', 'text', notNull)
    .addColumn('content_hash', 'text', notNull)
    .addColumn('content_preview', 'text', notNull)
    .addColumn('commit_message', 'text', notNull)
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('content', 'text', notNull)
    .addPrimaryKeyConstraint('prompt_versions_pk', ['tenant_id', 'prompt_id', 'version'])
    .execute();
}

async function promptLabels(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'prompt_labels')
    .addColumn('prompt_id', 'text', notNull)
    .addColumn('label', 'text', notNull)
    .addColumn('version', 'bigint', notNull)
    .addPrimaryKeyConstraint('prompt_labels_pk', ['tenant_id', 'prompt_id', 'label'])
    .execute();
}

async function promptUsage(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'prompt_usage')
    .addColumn('content_hash', 'text', notNull)
    .addColumn('call_count', 'bigint', notNull)
    .addColumn('total_tokens', 'bigint', notNull)
    .addColumn('total_cost', 'double precision', notNull)
    // Calls with smaller ids may still have to be counted; 0 if there are none.
    .addColumn('uncounted_below', 'bigint', withDefault(0))
    .addPrimaryKeyConstraint('prompt_usage_pk', ['tenant_id', 'content_hash'])
    .execute();
}

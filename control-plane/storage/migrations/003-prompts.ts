import type { Kysely, SchemaModule } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Managed prompts, and how often each content was used. */
export const prompts: Migration = {
  async up(db: Kysely<unknown>) {
    await managed(db.schema);
    await versions(db.schema);
    await usage(db.schema);
  },
};

async function managed(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('prompts')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('prompt_type', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('latest_version', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompts_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('prompts_name', ['tenant_id', 'name'])
    .execute();
}

/** The content stands last, because SQLite reads a row from its beginning. */
async function versions(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('prompt_versions')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('content_preview', 'text', (column) => column.notNull())
    .addColumn('commit_message', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_versions_pk', ['tenant_id', 'prompt_id', 'version'])
    .execute();
  await schema
    .createTable('prompt_labels')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_labels_pk', ['tenant_id', 'prompt_id', 'label'])
    .execute();
}

async function usage(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('prompt_usage')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('call_count', 'bigint', (column) => column.notNull())
    .addColumn('total_tokens', 'bigint', (column) => column.notNull())
    .addColumn('total_cost', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_usage_pk', ['tenant_id', 'content_hash'])
    .execute();
}

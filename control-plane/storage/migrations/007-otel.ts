import type { Kysely, SchemaModule } from 'kysely';
import type { Migration } from 'kysely/migration';

export const otel: Migration = {
  async up(db: Kysely<unknown>) {
    await traces(db.schema);
    await spans(db.schema);
    await unknowns(db.schema);
  },
};

async function traces(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('otel_traces')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('run_id', 'bigint')
    .addColumn('facts', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('otel_traces_pk', ['tenant_id', 'trace_id'])
    .execute();
  await schema
    .createIndex('otel_traces_by_age')
    .on('otel_traces')
    .columns(['tenant_id', 'state', 'seen_at'])
    .execute();
}

async function spans(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('otel_spans')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('span_id', 'text', (column) => column.notNull())
    .addColumn('parent_span_id', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('has_text', 'bigint', (column) => column.notNull())
    .addColumn('failed', 'bigint', (column) => column.notNull())
    .addColumn('counted', 'bigint', (column) => column.notNull())
    .addColumn('call_id', 'bigint', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('otel_spans_pk', ['tenant_id', 'trace_id', 'span_id'])
    .execute();
  // The trace last: PostgreSQL must not take it for a way to find spans of a trace by their ids.
  await schema
    .createIndex('otel_spans_by_parent')
    .on('otel_spans')
    .columns(['tenant_id', 'parent_span_id', 'trace_id'])
    .execute();
}

async function unknowns(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('otel_unknowns')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('scope_version', 'text', (column) => column.notNull())
    .addColumn('seen_count', 'bigint', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('otel_unknowns_pk', ['tenant_id', 'kind', 'name', 'scope'])
    .execute();
  await schema
    .createIndex('otel_unknowns_by_count')
    .on('otel_unknowns')
    .columns(['tenant_id', 'kind', 'seen_count'])
    .execute();
}

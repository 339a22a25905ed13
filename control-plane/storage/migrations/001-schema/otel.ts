import type { SchemaModule } from 'kysely';
import { notNull, tenantIndexes, tenantTable } from './table-parts.ts';

/** The state of OpenTelemetry traces, so that spans may arrive in any order, and more than once. */
export async function otelTables(schema: SchemaModule): Promise<void> {
  await otelTraces(schema);
  await otelSpans(schema);
  await otelUnknowns(schema);
}

async function otelTraces(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'otel_traces')
    .addColumn('trace_id', 'text', notNull)
    // Null until a span of an AI agent arrives.
    .addColumn('run_id', 'bigint')
    .addColumn('facts', 'text')
    .addColumn('state', 'text', notNull)
    .addColumn('seen_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('otel_traces_pk', ['tenant_id', 'trace_id'])
    .execute();
  const index = tenantIndexes(schema, 'otel_traces');
  await index('otel_traces_by_age', 'state', 'seen_at').execute();
}

async function otelSpans(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'otel_spans')
    .addColumn('trace_id', 'text', notNull)
    .addColumn('span_id', 'text', notNull)
    .addColumn('parent_span_id', 'text')
    .addColumn('kind', 'text', notNull)
    .addColumn('has_text', 'bigint', notNull)
    .addColumn('failed', 'bigint', notNull)
    .addColumn('counted', 'bigint', notNull)
    .addColumn('call_id', 'bigint', notNull)
    .addColumn('position', 'bigint', notNull)
    .addPrimaryKeyConstraint('otel_spans_pk', ['tenant_id', 'trace_id', 'span_id'])
    .execute();
  const index = tenantIndexes(schema, 'otel_spans');
  // The trace is the last column, because PostgreSQL must not use this index to find spans of a
  // trace by their ids.
  await index('otel_spans_by_parent', 'parent_span_id', 'trace_id').execute();
}

async function otelUnknowns(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'otel_unknowns')
    .addColumn('kind', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('scope', 'text', notNull)
    .addColumn('scope_version', 'text', notNull)
    .addColumn('seen_count', 'bigint', notNull)
    .addColumn('last_seen', 'bigint', notNull)
    .addPrimaryKeyConstraint('otel_unknowns_pk', ['tenant_id', 'kind', 'name', 'scope'])
    .execute();
  const index = tenantIndexes(schema, 'otel_unknowns');
  await index('otel_unknowns_by_count', 'kind', 'seen_count').execute();
}

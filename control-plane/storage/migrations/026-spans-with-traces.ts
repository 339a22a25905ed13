import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Stores the spans of a trace that arrived in one request in the row of the trace. The column is
 * null in existing rows, so that no row is rewritten.
 */
export const spansWithTraces: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('otel_traces').addColumn('spans', 'text').execute();
  },
};

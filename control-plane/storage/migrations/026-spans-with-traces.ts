import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The spans of a trace that came in one request, in the row of the trace. Null in the rows that are
 * there: none of them is written again.
 */
export const spansWithTraces: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('otel_traces').addColumn('spans', 'text').execute();
  },
};

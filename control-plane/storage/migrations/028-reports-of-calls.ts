import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds to the spans of calls what shows that two instrumentations reported one call. The columns
 * are null in existing rows, so that no row is rewritten.
 */
export const reportsOfCalls: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const column of ['call_key', 'scope', 'response_id'])
      await schema.alterTable('otel_spans').addColumn(column, 'text').execute();
    await schema.alterTable('otel_spans').addColumn('ended_at', 'bigint').execute();
  },
};

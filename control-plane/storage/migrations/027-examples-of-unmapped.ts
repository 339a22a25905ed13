import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds the latest example to unmapped OpenTelemetry names, and its trace. Existing rows have none
 * until their names arrive again.
 */
export const examplesOfUnmapped: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const column of ['trace_id', 'example'])
      await schema.alterTable('otel_unknowns').addColumn(column, 'text').execute();
  },
};

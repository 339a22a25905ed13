import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { tenantIndexes } from './001-schema/table-parts.ts';

/**
 * The index by run also contains the time to the first token, which the waterfall of a trace shows
 * for each call. In the row it is stored after the texts, and SQLite reaches it only by reading
 * them.
 */
export const firstTokenInTrace: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.dropIndex('llm_calls_by_run').execute();
    await tenantIndexes(schema, 'llm_calls')(
      'llm_calls_by_run',
      'run_id',
      'created_at',
      'id',
      'duration_ms',
      'span_id',
      'parent_span_id',
      'started_at',
      'time_to_first_token_ms',
    ).execute();
  },
};

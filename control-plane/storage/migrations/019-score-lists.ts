import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { tenantIndexes } from './001-schema/table-parts.ts';

/** Lists of scores by time, and lists of sessions and end users by their failed runs. */
export const scoreLists: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.dropIndex('scores_by_time').execute();
    // Totals over time read only this index. It replaces a narrower one, so that recording a score
    // writes as many indexes as before.
    await tenantIndexes(schema, 'scores')(
      'scores_by_time',
      'created_at',
      'id',
      'name',
      'data_type',
      'source',
      'run_agent_name',
      'numeric_value',
    ).execute();
    // The indexes are partial: a run that succeeded costs no entry.
    for (const [name, column] of [
      ['runs_failed_in_session', 'session_id'],
      ['runs_failed_of_user', 'user_id'],
    ] as const)
      await tenantIndexes(schema, 'runs')(name, column)
        .where(sql.ref('status'), '=', sql.lit('error'))
        .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isLongRun } from '../long-runs.ts';

/**
 * Which runs went on during a time is asked of those that began about then, and of the few that
 * take long: these stand in an index that holds all that is asked, and that other runs never enter.
 */
export const longRuns: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('long_runs')
      .on('runs')
      .columns(['tenant_id', 'completed_at', 'started_at', 'session_id', 'user_id', 'agent_name'])
      .where(isLongRun)
      .execute();
  },
};

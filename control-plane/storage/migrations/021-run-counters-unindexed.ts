import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { tenantIndexes } from './001-schema/table-parts.ts';

/**
 * Removes the counters of runs, which change with every recorded call, from indexes. On PostgreSQL
 * an update that changes an indexed column writes an entry to each index of the table; any other
 * update writes none (a heap-only tuple).
 */
export const runCountersUnindexed = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    if (!dialect.updatesWriteEveryIndex) return;
    const { schema } = db;
    await schema.dropIndex('runs_by_start').execute();
    await tenantIndexes(schema, 'runs')(
      'runs_by_start',
      'started_at',
      'id',
      'agent_name',
      'status',
      'completed_at',
      'user_id',
      'user_group',
      'api_key_id',
    ).execute();
  },
});

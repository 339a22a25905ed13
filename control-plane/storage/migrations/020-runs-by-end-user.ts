import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { tenantIndexes } from './001-schema/table-parts.ts';

/**
 * An index for the groups that an end user belongs to, because the budgets of groups are watched.
 */
export const runsByEndUser: Migration = {
  async up(db: Kysely<unknown>) {
    await tenantIndexes(db.schema, 'runs')('runs_by_end_user_id', 'end_user_id', 'started_at', 'id')
      .where(sql.ref('end_user_id'), 'is not', null)
      .execute();
  },
};

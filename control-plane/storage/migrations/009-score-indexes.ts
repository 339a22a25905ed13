import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Scores of one name or source, and all of them sorted by either, are read without a scan. */
export const scoreIndexes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['name', 'source'])
      await db.schema
        .createIndex(`scores_by_${column}`)
        .on('scores')
        .columns(['tenant_id', column, 'created_at', 'id'])
        .execute();
  },
};

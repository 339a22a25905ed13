import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { countedTable } from './counted-table.ts';

/** Full text of LLM calls in segments; what was recorded before is indexed again. */
export const searchSegments = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await countedTable(db.schema, dialect, 'search_changes')
      .addColumn('first_id', 'bigint', (column) => column.notNull())
      .addColumn('last_id', 'bigint', (column) => column.notNull())
      .execute();
    await dialect.search.create(db);
  },
});

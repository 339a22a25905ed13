import type { Kysely } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import { autoIdTable, notNull } from './table-parts.ts';

/** What the index itself consists of differs between the databases. */
export async function searchTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await autoIdTable(db.schema, dialect, 'search_changes')
    .addColumn('first_id', 'bigint', notNull)
    .addColumn('last_id', 'bigint', notNull)
    .execute();
  await dialect.search.create(db);
}

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';

/** Full text of LLM calls; SQLite keeps it in a file of its own. */
export const search = (dialect: Dialect): Migration => ({
  up: (db: Kysely<unknown>) => dialect.search.create(db),
});

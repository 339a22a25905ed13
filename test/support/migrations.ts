import { type Kysely, sql } from 'kysely';
import { type MigrationsOf, migrationsOf } from '#control-plane/storage/migrate.ts';

/** The migrations of the first release. */
export const firstMigration: MigrationsOf = (dialect) =>
  Object.fromEntries(Object.entries(migrationsOf(dialect)).slice(0, 1));

export const LATER_TABLE = 'later_calls';

/** Migrations of a simulated later version, which change recorded data. */
export const laterMigrations: MigrationsOf = (dialect) => ({
  ...migrationsOf(dialect),
  '900-later-columns': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('runs')
        .addColumn('later_calls', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await sql`update runs set later_calls = (select count(*) from llm_calls
        where llm_calls.tenant_id = runs.tenant_id and llm_calls.run_id = runs.id)`.execute(db);
    },
  },
  '901-later-table': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable(LATER_TABLE)
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('id', 'bigint', (column) => column.notNull())
        .addColumn('prompt', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('later_calls_pk', ['tenant_id', 'id'])
        .execute();
      await sql`insert into later_calls select tenant_id, id, prompt_preview from llm_calls`.execute(
        db,
      );
      await db.schema
        .createIndex('later_calls_by_prompt')
        .on(LATER_TABLE)
        .columns(['tenant_id', 'prompt'])
        .execute();
    },
  },
});

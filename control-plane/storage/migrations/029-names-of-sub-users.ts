import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Until now every name that a token carried was one of ours. */
export const namesOfSubUsers: Migration = {
  async up(db: Kysely<unknown>) {
    // SQLite adds one column at a time.
    for (const name of ['known_roles', 'known_permissions'])
      await db.schema
        .alterTable('sub_user_sessions')
        .addColumn(name, 'text', (to) => to.notNull().defaultTo('[]'))
        .execute();
    await sql`
      update sub_user_sessions set known_roles = roles, known_permissions = permissions
    `.execute(db);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { notNull, tenantTable } from './001-schema/table-parts.ts';

const renamed = {
  devices: {
    waiting_key: 'pending_key',
    waiting_since: 'pending_since',
    waiting_as: 'pending_request',
  },
  policy_checks: {
    asked: 'policy_set_key',
    answers: 'outcomes',
    answer_count: 'outcome_count',
  },
} as const;

/**
 * Renames columns and tables to the usual terms, for pending enrollments and for the policies that
 * evaluated a check.
 */
export const fieldTerms = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    for (const [table, columns] of Object.entries(renamed))
      for (const [from, to] of Object.entries(columns))
        await schema.alterTable(table).renameColumn(from, to).execute();
    // The table is copied, because SQLite cannot rename the constraint of a primary key.
    await dialect
      .clusteredByKey(
        tenantTable(schema, 'policy_sets')
          .addColumn('day', 'bigint', notNull)
          .addColumn('key', 'text', notNull)
          .addColumn('policies', 'text', notNull)
          .addPrimaryKeyConstraint('policy_sets_pk', ['tenant_id', 'day', 'key']),
      )
      .execute();
    await sql`insert into policy_sets (tenant_id, day, key, policies)
      select tenant_id, day, key, policies from asked_policies`.execute(db);
    await schema.dropTable('asked_policies').execute();
  },
});

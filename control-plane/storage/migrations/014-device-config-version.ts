import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull } from './001-schema/table-parts.ts';

/**
 * The version that each device should apply. A change for one device leaves the others up to date.
 */
export const deviceConfigVersion: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .alterTable('tenants')
      .addColumn('fleet_config_version', 'bigint', (column) => notNull(column).defaultTo(0))
      .execute();
    await sql`update tenants set fleet_config_version = config_version`.execute(db);
    await schema
      .alterTable('devices')
      .addColumn('target_version', 'bigint', (column) => notNull(column).defaultTo(0))
      .execute();
  },
};

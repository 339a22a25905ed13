import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Programs that do not accept the certificates of their device. */
export const certificateRefusals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('devices')
      .addColumn('certificate_refusals', 'text', (to) => to.notNull().defaultTo('[]'))
      .execute();
  },
};

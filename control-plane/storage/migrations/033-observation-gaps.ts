import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Times of which flows of a device are missing. */
export const observationGaps: Migration = {
  async up(db: Kysely<unknown>) {
    let table = db.schema.createTable('observation_gaps');
    for (const name of ['tenant_id', 'device_id', 'reason'])
      table = table.addColumn(name, 'text', (to) => to.notNull());
    for (const name of ['started_at', 'ended_at'])
      table = table.addColumn(name, 'bigint', (to) => to.notNull());
    const key = ['tenant_id', 'device_id', 'started_at', 'reason'] as never;
    await table.addPrimaryKeyConstraint('observation_gaps_pk', key).execute();
    await db.schema
      .createIndex('observation_gaps_by_time')
      .on('observation_gaps')
      .columns(['tenant_id', 'started_at'])
      .execute();
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Calls of captured exchanges: the provider's id of an answer, by which a call that is told twice is
 * known, the runs that were made of captures, and which agents they are of.
 */
export const capturedCalls: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['llm_calls', 'captures'])
      await db.schema.alterTable(table).addColumn('response_id', 'text').execute();
    for (const column of ['capture_id', 'device_id'])
      await db.schema.alterTable('runs').addColumn(column, 'text').execute();
    // Partial: whatever has no such id costs no entry.
    await db.schema
      .createIndex('llm_calls_by_response')
      .unique()
      .on('llm_calls')
      .columns(['tenant_id', 'response_id'])
      .where(sql.ref('response_id'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('runs_by_capture')
      .on('runs')
      .columns(['tenant_id', 'capture_id'])
      .where(sql.ref('capture_id'), 'is not', null)
      .execute();
    await db.schema
      .createTable('capture_agents')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('device_id', 'text', (to) => to.notNull())
      .addColumn('app', 'text', (to) => to.notNull())
      .addColumn('agent_name', 'text')
      .addColumn('updated_at', 'bigint', (to) => to.notNull())
      .addColumn('updated_by', 'text', (to) => to.notNull())
      .addPrimaryKeyConstraint('capture_agents_pk', ['tenant_id', 'device_id', 'app'])
      .execute();
  },
};

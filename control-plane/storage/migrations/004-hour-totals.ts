import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { notNull, tenantTable } from './001-schema/table-parts.ts';

/** Counts the runs of each hour by status and duration, including existing runs. */
export const hourTotals = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const key: ('tenant_id' | 'hour' | 'status' | 'duration_from')[] = [
      'tenant_id',
      'hour',
      'status',
      'duration_from',
    ];
    await dialect
      .clusteredByKey(
        tenantTable(db.schema, 'run_hours')
          .addColumn('hour', 'bigint', notNull)
          .addColumn('status', 'text', notNull)
          .addColumn('duration_from', 'bigint', notNull)
          .addColumn('run_count', 'bigint', notNull)
          .addPrimaryKeyConstraint('run_hours_pk', key),
      )
      .execute();
    await sql`insert into run_hours (tenant_id, hour, status, duration_from, run_count)
      select tenant_id, started_at / 3600000, status, ${sql.raw(DURATION_FROM)}, count(*)
      from runs group by 1, 2, 3, 4`.execute(db);
  },
});

/**
 * The bucket bounds when this migration was released. The current ones are in
 * `control-plane/usage/`.
 */
const bounds = new Set(Array.from({ length: 226 }, (_, step) => Math.round(10 ** (step / 25))));

const DURATION_FROM = `case when completed_at is null then -1 ${[...bounds]
  .reverse()
  .map((bound) => `when completed_at - started_at >= ${bound} then ${bound}`)
  .join(' ')} else 0 end`;

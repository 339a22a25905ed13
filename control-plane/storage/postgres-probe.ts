import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Checks that PostgreSQL accepts writes. Deleting no rows fails if it is read-only; the series is
 * larger than `work_mem`, so it spills to a file, which fails if the disk is full; the message
 * makes the commit wait for the log, and for replicas where commits do.
 */
export async function probePostgres(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select set_config('work_mem', '64kB', true)`.execute(trx);
    await sql`
      with nothing as (delete from tenants where false)
      select count(*), (select pg_logical_emit_message(true, 'gatehouse', 'ready?'))
      from generate_series(1, 50000)`.execute(trx);
  });
}

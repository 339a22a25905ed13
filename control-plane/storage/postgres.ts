import { type Pool, type PoolConfig, DatabaseError, types } from 'pg';
import { openPool } from './postgres-pool.ts';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';
import type { Dialect, PoolUse } from './dialect.ts';
import { PipeliningDialect } from './pipelining-dialect.ts';
import { PostgresBulk } from './postgres-bulk.ts';
import { preparingClient } from './postgres-preparing.ts';
import { createRowSender } from './postgres-rows.ts';
import { postgresSignals } from './postgres-signals.ts';
import { postgresUnavailability } from './postgres-unavailable.ts';
import { postgresSearch } from './search/postgres.ts';

/** Opens PostgreSQL 13 or newer. Any number of control-plane processes may share it. */
export function openPostgres(url: string, onProblem: (message: string) => void): Dialect {
  const config = { types: { getTypeParser: typeParser as typeof types.getTypeParser } };
  const pool = openPool(url, { ...config, Client: preparingClient(), max: 20 }, onProblem);
  const reader = postgresReader(url, config, onProblem);
  const signals = postgresSignals(pool, url, onProblem);
  const send = createRowSender();
  return {
    kysely: new PipeliningDialect({ pool }),
    reader: new PipeliningDialect({ pool: reader }),
    pools: () => ({ writer: useOf(pool), reader: useOf(reader) }),
    signals,
    bulkOf: (trx) => new PostgresBulk(trx, send),
    maxConcurrentWrites: 3,
    search: postgresSearch(pool, url, onProblem),
    distinctJson: (column) => sql`to_json(array_agg(distinct ${sql.ref(column)}))::text`,
    withoutKey: (column, key) => sql`(${sql.ref(column)}::jsonb - ${key}::text)::text`,
    memberOf: (column, key) => sql`(${sql.ref(column)}::json ->> ${key}::text)`,
    pairsOf: (first, second) => ({
      from: sql<{ key: number }>`lateral (
        select first, second, ordinality - 1 as key
        from rows from (
          json_array_elements(${sql.ref(first)}::json), json_array_elements(${sql.ref(second)}::json)
        ) with ordinality as pairs (first, second, ordinality))`.as('each'),
      first: sql`each.first`,
      second: sql`each.second`,
    }),
    autoId: (table, key) =>
      table
        .addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().notNull())
        .addPrimaryKeyConstraint(key.name, key.columns as never),
    clusteredByKey: (table) => table,
    updatesWriteEveryIndex: true,
    isUnique: (error) => error instanceof DatabaseError && error.code === '23505',
    unavailability: postgresUnavailability,
    // One example is a deadlock.
    isTransactionRollback: (error) =>
      error instanceof DatabaseError && error.code?.startsWith('40') === true,
    async lock(trx, ...names) {
      // Functions with side effects are evaluated after sorting.
      await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
        from unnest(${names}::text[]) name order by name`.execute(trx);
    },
    async snapshotTransactions(db) {
      const { rows } = await sql<{ next: string }>`
        select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db);
      return (rows[0] as { next: string }).next;
    },
    async haveTransactionsEnded(db, next) {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 as ended`.execute(db);
      return rows[0]?.ended === true;
    },
    probe: probePostgres,
    isHalfMigrated: () => false,
    dropEmptySchema: () => false,
    migrated: () => undefined,
    close: () => signals.close(),
  };
}

const useOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolUse => ({
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
});

const EXACT_IN_A_DOUBLE = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC]);

type TypeId = Parameters<typeof types.getTypeParser>[0];

/**
 * Parses int8 and numeric as numbers. `pg` returns them as text, but all of our values fit a double
 * exactly.
 */
function typeParser(oid: TypeId, format: 'text' | 'binary' = 'text') {
  if (EXACT_IN_A_DOUBLE.has(oid)) return Number;
  return types.getTypeParser(oid, format);
}

/**
 * Checks that PostgreSQL accepts writes. Deleting no rows fails if it is read-only. The series is
 * larger than `work_mem`, so it spills to a file, which fails if the disk is full. The message
 * makes the commit wait for the log, and for replicas if commits wait for them.
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

const CONNECTIONS = 4;
const MAX_MS = 30_000;

/** Separate connections for long reads, so that these cannot exhaust those of recording. */
export function postgresReader(
  url: string,
  config: PoolConfig,
  onProblem: (message: string) => void,
): Pool {
  return openPool(readOnly(url), { ...config, max: CONNECTIONS }, onProblem);
}

const OPTIONS = [
  'default_transaction_read_only=on',
  `statement_timeout=${MAX_MS}`,
  // A parallel query would take CPUs from recording.
  'max_parallel_workers_per_gather=0',
];

/**
 * Makes connections read-only. Options in the URL override separate ones, so ours are appended to
 * those of the URL.
 */
function readOnly(url: string): string {
  const existing = new URLSearchParams(url.split('?')[1]).get('options') ?? '';
  const ours = OPTIONS.map((option) => `-c ${option}`).join(' ');
  const options = encodeURIComponent(`${existing} ${ours}`.trim());
  return `${url}${url.includes('?') ? '&' : '?'}options=${options}`;
}

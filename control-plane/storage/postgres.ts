import { DatabaseError, type Pool, types } from 'pg';
import { PostgresDialect, sql } from 'kysely';
import type { Dialect, PoolUse } from './dialect.ts';
import { postgresBulk } from './postgres-bulk.ts';
import { openPool } from './postgres-pool.ts';
import { preparingClient } from './postgres-preparing.ts';
import { postgresReader } from './postgres-reader.ts';
import { probePostgres } from './postgres-probe.ts';
import { postgresSignals } from './postgres-signals.ts';
import { postgresUnavailability } from './postgres-unavailable.ts';
import { postgresSearch } from './search/postgres.ts';

/** PostgreSQL 13 or newer; any number of control-plane processes may share it. */
export function openPostgres(url: string, onProblem: (message: string) => void): Dialect {
  const config = { types: { getTypeParser: typeParser as typeof types.getTypeParser } };
  const pool = openPool(url, { ...config, Client: preparingClient(), max: 20 }, onProblem);
  const reader = postgresReader(url, config, onProblem);
  const signals = postgresSignals(pool, url, onProblem);
  const bulk = postgresBulk();
  return {
    kysely: new PostgresDialect({ pool }),
    reader: new PostgresDialect({ pool: reader }),
    pools: () => ({ writer: useOf(pool), reader: useOf(reader) }),
    signals,
    bulk,
    writers: 3,
    search: postgresSearch(pool, url, bulk, onProblem),
    distinctJson: (column) => sql`to_json(array_agg(distinct ${sql.ref(column)}))::text`,
    withoutKey: (column, key) => sql`(${sql.ref(column)}::jsonb - ${key}::text)::text`,
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
    keyed: (table) => table,
    isUnique: (error) => error instanceof DatabaseError && error.code === '23505',
    unavailability: postgresUnavailability,
    // A deadlock, for example.
    isBrokenOff: (error) => error instanceof DatabaseError && error.code?.startsWith('40') === true,
    async lock(trx, ...names) {
      // Functions with side effects are evaluated after sorting.
      await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
        from unnest(${names}::text[]) name order by name`.execute(trx);
    },
    async underWay(db) {
      const { rows } = await sql<{ next: string }>`
        select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db);
      return (rows[0] as { next: string }).next;
    },
    async haveEnded(db, next) {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 as ended`.execute(db);
      return rows[0]?.ended === true;
    },
    probe: probePostgres,
    isHalfMigrated: () => false,
    startOver: () => false,
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

/** `pg` returns int8 and numeric as text; ours all fit a double exactly. */
function typeParser(oid: TypeId, format: 'text' | 'binary' = 'text') {
  if (EXACT_IN_A_DOUBLE.has(oid)) return Number;
  return types.getTypeParser(oid, format);
}

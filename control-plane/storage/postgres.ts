import { DatabaseError, Pool, types } from 'pg';
import { PostgresDialect, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import { postgresBulk } from './postgres-bulk.ts';
import { preparingClient } from './postgres-preparing.ts';
import { postgresReader } from './postgres-reader.ts';
import { CONNECT_MS, postgresSignals } from './postgres-signals.ts';
import { postgresSearch } from './search/postgres.ts';

// Errors of the network, and PostgreSQL's classes for connections, shutdowns and lack of resources.
// 57014: the query took longer than a reader may.
const UNAVAILABLE = /^(E[A-Z]+|08...|57P0.|57014|53...)$/;
// What `pg` says of a connection that it lost or did not get has no code.
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encount)/;

/** PostgreSQL 13 or newer; any number of control-plane processes may share it. */
export function openPostgres(url: string, onProblem: (line: string) => void): Dialect {
  const config = {
    connectionTimeoutMillis: CONNECT_MS,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  };
  const pool = new Pool({ ...config, Client: preparingClient(), connectionString: url, max: 20 });
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) onProblem(`PostgreSQL connection lost: ${error.message}`);
  });
  const signals = postgresSignals(pool, url, onProblem);
  const bulk = postgresBulk();
  return {
    kysely: new PostgresDialect({ pool }),
    reader: postgresReader(url, config, onProblem),
    signals,
    bulk,
    writers: 3,
    search: postgresSearch(url, bulk, onProblem),
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
    isUnavailable: (error) =>
      error instanceof Error &&
      (UNAVAILABLE.test((error as { code?: string }).code ?? '') || BROKEN.test(error.message)),
    // A deadlock, for one.
    isBrokenOff: (error) => error instanceof DatabaseError && error.code?.startsWith('40') === true,
    async lock(trx, ...names) {
      // What has effects is evaluated after the rows are sorted.
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
    migrated: () => undefined,
    close: () => signals.close(),
  };
}

const EXACT_IN_A_DOUBLE = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC]);

type TypeId = Parameters<typeof types.getTypeParser>[0];

/** `pg` answers int8 and numeric as text; ours all fit a double exactly. */
function typeParser(oid: TypeId, format: 'text' | 'binary' = 'text') {
  if (EXACT_IN_A_DOUBLE.has(oid)) return Number;
  return types.getTypeParser(oid, format);
}

import { DatabaseError, Pool, types } from 'pg';
import { PostgresDialect } from 'kysely';
import type { Dialect } from './dialect.ts';
import { postgresSignals } from './postgres-signals.ts';

/** PostgreSQL 13 or newer; any number of control-plane processes may share it. */
export function openPostgres(url: string, onProblem: (line: string) => void): Dialect {
  const pool = new Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', (error) => onProblem(`PostgreSQL connection lost: ${error.message}`));
  const signals = postgresSignals(pool, url, onProblem);
  return {
    name: 'postgres',
    kysely: new PostgresDialect({ pool }),
    signals,
    autoId: (table, key) =>
      table
        .addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().notNull())
        .addPrimaryKeyConstraint(key.name, key.columns as never),
    isUnique: (error) => error instanceof DatabaseError && error.code === '23505',
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

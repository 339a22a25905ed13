import { sql, type Transaction } from 'kysely';
import { quotedColumns } from './bulk.ts';
import { arraysOf, type ArrayType, isArrayType, type UntypedRow } from './postgres-arrays.ts';
import type { Tables } from './tables.ts';

/** Rows as a part of a statement, in which each column is one parameter. */
export interface SentRows {
  columns: readonly string[];
  /** The text `unnest(…) as d (…)`, which yields the rows in their order. */
  text: string;
  parameters: readonly Buffer[];
}

/** Sends rows of one table; parameters are numbered from `first`. */
export type SendRows = (
  trx: Transaction<Tables>,
  table: string,
  rows: readonly UntypedRow[],
  how?: { columns?: readonly string[]; first?: number },
) => Promise<SentRows>;

/**
 * Creates a `SendRows` that caches the column types of tables, so that each process queries them
 * once.
 */
export function createRowSender(): SendRows {
  const cache = new Map<string, ReadonlyMap<string, ArrayType>>();
  return async (
    trx,
    table,
    rows,
    { columns = Object.keys(rows[0] as UntypedRow), first = 1 } = {},
  ) => {
    // Two transactions may query the types concurrently; neither waits for the other's connection.
    const types = cache.get(table) ?? (await findTypes(trx, table));
    cache.set(table, types);
    const typed = columns.map((name) => {
      const type = types.get(name);
      if (!type) throw new Error(`rows of "${table}" cannot be sent with a column "${name}"`);
      return { name, type };
    });
    const arrays = typed.map(({ type }, index) => `$${first + index}::${type}[]`);
    return {
      columns,
      text: `unnest(${arrays.join(', ')}) as d (${quotedColumns(columns)})`,
      parameters: arraysOf(typed, rows),
    };
  };
}

/** Returns the columns of a table whose types can be sent. */
async function findTypes(
  trx: Transaction<Tables>,
  table: string,
): Promise<ReadonlyMap<string, ArrayType>> {
  const { rows } = await sql<{ column: string; type: string }>`
    select attname as column, typname as type
    from pg_attribute join pg_type on pg_type.oid = atttypid
    where attrelid = ${`"${table}"`}::regclass and attnum > 0 and not attisdropped`.execute(trx);
  return new Map(
    rows.flatMap(({ column, type }) => (isArrayType(type) ? [[column, type] as const] : [])),
  );
}

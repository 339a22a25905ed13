import { CompiledQuery, sql, type Transaction } from 'kysely';
import { type Bulk, mergeClause, type Merging, named } from './bulk.ts';
import type { Row } from './postgres-arrays.ts';
import { sendingRows, type SentRows } from './postgres-rows.ts';
import type { Tables } from './tables.ts';

/** One statement each, whatever the number of rows. */
export function postgresBulk(): Bulk {
  const send = sendingRows();

  async function insert<R>(
    trx: Transaction<Tables>,
    table: string,
    rows: readonly Row[],
    complete: (insertion: string) => string,
  ): Promise<R[]> {
    if (rows.length === 0) return [];
    const sent = await send(trx, table, rows);
    const statement = complete(insertionOf(table, sent));
    return (await trx.executeQuery<R>(CompiledQuery.raw(statement, [...sent.parameters]))).rows;
  }

  return {
    async insert(trx, table, rows) {
      await insert(trx, table, rows, (insertion) => insertion);
    },
    async insertCounted(trx, table, rows) {
      // All ids in one row: a row per id costs more to send and read than to store.
      const [stored] = await insert<{ ids: number[] }>(
        trx,
        table,
        rows,
        (insertion) =>
          `with stored as (${insertion} returning id) select json_agg(id) as ids from stored`,
      );
      // Ids are assigned in the order of the rows, but may be returned in any order.
      return (stored?.ids ?? []).sort((a, b) => a - b);
    },
    async insertNew(trx, table, key, rows) {
      const end = `on conflict (${named(key)}) do nothing returning ${named(key)}`;
      const added = await insert<Row>(trx, table, rows, (insertion) => `${insertion} ${end}`);
      const keyOf = (row: Row): string => JSON.stringify(key.map((column) => row[column]));
      const keys = new Set(added.map(keyOf));
      return rows.map((row) => keys.delete(keyOf(row as Row)));
    },
    async merge(trx, table, merging, rows) {
      const end = mergeClause(table, merging, '"C"');
      await insert(trx, table, rows, (insertion) => `${insertion} ${end}`);
    },
    async mergeAll(trx, merges) {
      const parts: string[] = [];
      const parameters: Buffer[] = [];
      for (const { table, merging, rows } of merges) {
        if (rows.length === 0) continue;
        const sent = await send(trx, table, rows, { first: parameters.length + 1 });
        const end = mergeClause(table, merging as Merging<typeof table>, '"C"');
        parts.push(`part_${parts.length} as (${insertionOf(table, sent)} ${end})`);
        parameters.push(...sent.parameters);
      }
      if (parts.length === 0) return;
      // PostgreSQL executes the parts from last to first; reversed, they run in the given order,
      // which prevents deadlocks.
      const statement = `with ${parts.toReversed().join(', ')} select`;
      await trx.executeQuery(CompiledQuery.raw(statement, parameters));
    },
    async add(trx, table, { key, add }, rows) {
      if (rows.length === 0) return;
      const sent = await send(trx, table, rows, { columns: [...key, ...add] });
      const set = add.map((column) => `"${column}" = t."${column}" + d."${column}"`).join(', ');
      const keysMatch = key.map((column) => `t."${column}" = d."${column}"`).join(' and ');
      // Locked in the order of their keys, which prevents deadlocks.
      const statement = `with d as materialized (
           select ${sent.columns.map((column) => `d."${column}"`).join(', ')}
           from ${sent.text} join "${table}" t on ${keysMatch}
           order by ${key.map((column) => `t."${column}"`).join(', ')} for no key update of t)
         update "${table}" t set ${set} from d where ${keysMatch}`;
      await trx.executeQuery(CompiledQuery.raw(statement, [...sent.parameters]));
    },
    async find(trx, table, columns, { tenantId, by, values, lock }) {
      const text = `select ${named(columns)} from "${table}"
        where "tenant_id" = $1 and "${by}" = any($2) ${lock ? `order by "${by}" ${LOCKS[lock]}` : ''}`;
      return (await trx.executeQuery<never>(CompiledQuery.raw(text, [tenantId, values]))).rows;
    },
    list(values) {
      // Nothing is in a null list, whatever the type of the operand.
      if (values.length === 0) return sql`(null)`;
      return typeof values[0] === 'string'
        ? sql`(select unnest(${[...values]}::text[]))`
        : sql`(select unnest(${[...values]}::bigint[]))`;
    },
  };
}

const LOCKS = { keep: 'for key share', change: 'for no key update', delete: 'for update' };

const insertionOf = (table: string, { columns, text }: SentRows): string =>
  `insert into "${table}" (${named(columns)}) select ${named(columns)} from ${text}`;

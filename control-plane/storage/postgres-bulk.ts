import { CompiledQuery, sql, type Transaction } from 'kysely';
import { type Bulk, mergeClause, type Merging, named } from './bulk.ts';
import type { Tables } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** One statement each, however many rows: they travel as one JSON parameter. */
export const postgresBulk: Bulk = {
  async insert(trx, table, rows) {
    await insert(trx, table, rows, '');
  },
  async insertCounted(trx, table, rows) {
    const stored = await insert<{ id: number }>(trx, table, rows, 'returning id');
    // Ids are counted up in the order of the rows; the order in which they are returned is free.
    return stored.map(({ id }) => id).sort((a, b) => a - b);
  },
  async insertNew(trx, table, key, rows) {
    const conflict = `on conflict (${named(key)}) do nothing returning ${named(key)}`;
    const added = await insert<Row>(trx, table, rows, conflict);
    const keyOf = (row: Row): string => JSON.stringify(key.map((column) => row[column]));
    const keys = new Set(added.map(keyOf));
    return rows.map((row) => keys.delete(keyOf(row as Row)));
  },
  async merge(trx, table, merging, rows) {
    await insert(trx, table, rows, mergeClause(table, merging, '"C"'));
  },
  async mergeAll(trx, merges) {
    const some = merges.filter(({ rows }) => rows.length > 0);
    if (some.length === 0) return;
    const parts = some.map(({ table, merging, rows }, index) => {
      const conflict = mergeClause(table, merging as Merging<typeof table>, '"C"');
      return `part_${index} as (${insertion(table, rows, conflict, index + 1)})`;
    });
    // PostgreSQL carries them out from the last to the first: in the given order, so that two
    // transactions never wait for each other.
    const text = `with ${parts.toReversed().join(', ')} select`;
    const parameters = some.map(({ rows }) => JSON.stringify(rows));
    await trx.executeQuery(CompiledQuery.raw(text, parameters));
  },
  async add(trx, table, { key, add }, rows) {
    if (rows.length === 0) return;
    const set = add.map((column) => `"${column}" = t."${column}" + d."${column}"`).join(', ');
    const same = key.map((column) => `t."${column}" = d."${column}"`).join(' and ');
    // Locked in the order of their keys, so that two transactions never wait for each other.
    await execute(
      trx,
      `with d as materialized (
         select d.* from json_populate_recordset(null::"${table}", $1) d
         join "${table}" t on ${same}
         order by ${key.map((column) => `t."${column}"`).join(', ')} for no key update of t)
       update "${table}" t set ${set} from d where ${same}`,
      rows as readonly Row[],
    );
  },
  async find(trx, table, columns, { tenantId, by, values, lock }) {
    const text = `select ${named(columns)} from "${table}"
      where "tenant_id" = $1 and "${by}" = any($2) ${lock ? LOCKS[lock] : ''}`;
    return (await trx.executeQuery<never>(CompiledQuery.raw(text, [tenantId, values]))).rows;
  },
  list(values) {
    // Nothing is in a null, whatever the type of what is looked for.
    if (values.length === 0) return sql`(null)`;
    return typeof values[0] === 'string'
      ? sql`(select unnest(${[...values]}::text[]))`
      : sql`(select unnest(${[...values]}::bigint[]))`;
  },
};

const LOCKS = { keep: 'for key share', delete: 'for update' };

/** What inserts rows that are a parameter of the statement. */
function insertion(table: string, rows: readonly Row[], end: string, parameter = 1): string {
  const columns = named(Object.keys(rows[0] as Row));
  return `insert into "${table}" (${columns})
     select ${columns} from json_populate_recordset(null::"${table}", $${parameter}) ${end}`;
}

async function insert<R>(
  trx: Transaction<Tables>,
  table: string,
  rows: readonly Row[],
  end: string,
): Promise<R[]> {
  return rows.length === 0 ? [] : execute<R>(trx, insertion(table, rows, end), rows);
}

async function execute<R>(
  trx: Transaction<Tables>,
  text: string,
  rows: readonly Row[],
): Promise<R[]> {
  const query = CompiledQuery.raw(text, [JSON.stringify(rows)]);
  return (await trx.executeQuery<R>(query)).rows;
}

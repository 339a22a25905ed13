import { CompiledQuery, type Insertable, type Selectable, type Transaction } from 'kysely';
import {
  type AnyMerge,
  type Bulk,
  type Column,
  type Find,
  mergeClause,
  type Merging,
  quotedColumns,
  type Rows,
} from './bulk.ts';
import type { UntypedRow } from './postgres-arrays.ts';
import type { SendRows, SentRows } from './postgres-rows.ts';
import type { Tables } from './tables.ts';

/** Bulk statements on PostgreSQL: each is one statement, however many rows it has. */
export class PostgresBulk implements Bulk {
  readonly #trx: Transaction<Tables>;
  readonly #send: SendRows;

  constructor(trx: Transaction<Tables>, send: SendRows) {
    this.#trx = trx;
    this.#send = send;
  }

  async insert<T extends keyof Tables>(table: T, rows: Rows<T>): Promise<void> {
    await this.#insert(table, rows, (insertion) => insertion);
  }

  async insertCounted<T extends keyof Tables>(table: T, rows: Rows<T>): Promise<number[]> {
    // All ids are returned in one row: one row per id costs more to send and read than to store.
    const [stored] = await this.#insert<{ ids: number[] }>(
      table,
      rows,
      (insertion) =>
        `with stored as (${insertion} returning id) select json_agg(id) as ids from stored`,
    );
    // Ids are assigned in the order of the rows, but may be returned in any order.
    return (stored?.ids ?? []).sort((a, b) => a - b);
  }

  async insertNew<T extends keyof Tables>(
    table: T,
    key: readonly Column<T>[],
    rows: Rows<T>,
  ): Promise<boolean[]> {
    const end = `on conflict (${quotedColumns(key)}) do nothing returning ${quotedColumns(key)}`;
    const added = await this.#insert<UntypedRow>(table, rows, (insertion) => `${insertion} ${end}`);
    const keyOf = (row: UntypedRow): string => JSON.stringify(key.map((column) => row[column]));
    const keys = new Set(added.map(keyOf));
    return rows.map((row) => keys.delete(keyOf(row as UntypedRow)));
  }

  async merge<T extends keyof Tables>(table: T, merging: Merging<T>, rows: Rows<T>): Promise<void> {
    const end = mergeClause(table, merging, '"C"');
    await this.#insert(table, rows, (insertion) => `${insertion} ${end}`);
  }

  async mergeAll(merges: readonly AnyMerge[]): Promise<void> {
    const parts: string[] = [];
    const parameters: Buffer[] = [];
    for (const { table, merging, rows } of merges) {
      if (rows.length === 0) continue;
      const sent = await this.#send(this.#trx, table, rows, { first: parameters.length + 1 });
      const end = mergeClause(table, merging as Merging<typeof table>, '"C"');
      parts.push(`part_${parts.length} as (${insertionOf(table, sent)} ${end})`);
      parameters.push(...sent.parameters);
    }
    if (parts.length === 0) return;
    // PostgreSQL executes the parts from last to first; reversed, they run in the given order,
    // which prevents deadlocks.
    const statement = `with ${parts.toReversed().join(', ')} select`;
    await this.#trx.executeQuery(CompiledQuery.raw(statement, parameters));
  }

  async add<T extends keyof Tables>(
    table: T,
    { key, add }: { key: readonly Column<T>[]; add: readonly Column<T>[] },
    rows: readonly Partial<Insertable<Tables[T]>>[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const sent = await this.#send(this.#trx, table, rows, { columns: [...key, ...add] });
    const set = add.map((column) => `"${column}" = t."${column}" + d."${column}"`).join(', ');
    const keysMatch = key.map((column) => `t."${column}" = d."${column}"`).join(' and ');
    // Rows are locked in the order of their keys, which prevents deadlocks.
    const statement = `with d as materialized (
           select ${sent.columns.map((column) => `d."${column}"`).join(', ')}
           from ${sent.text} join "${table}" t on ${keysMatch}
           order by ${key.map((column) => `t."${column}"`).join(', ')} for no key update of t)
         update "${table}" t set ${set} from d where ${keysMatch}`;
    await this.#trx.executeQuery(CompiledQuery.raw(statement, [...sent.parameters]));
  }

  async find<T extends keyof Tables, C extends keyof Selectable<Tables[T]> & string>(
    table: T,
    columns: readonly C[],
    { tenantId, by, values, lock }: Find<T>,
  ): Promise<Pick<Selectable<Tables[T]>, C>[]> {
    const text = `select ${quotedColumns(columns)} from "${table}"
        where "tenant_id" = $1 and "${by}" = any($2) ${lock ? `order by "${by}" for ${lock}` : ''}`;
    const query = CompiledQuery.raw(text, [tenantId, values]);
    return (await this.#trx.executeQuery<never>(query)).rows;
  }

  async #insert<R>(
    table: string,
    rows: readonly UntypedRow[],
    complete: (insertion: string) => string,
  ): Promise<R[]> {
    if (rows.length === 0) return [];
    const sent = await this.#send(this.#trx, table, rows);
    const statement = complete(insertionOf(table, sent));
    const query = CompiledQuery.raw(statement, [...sent.parameters]);
    return (await this.#trx.executeQuery<R>(query)).rows;
  }
}

const insertionOf = (table: string, { columns, text }: SentRows): string =>
  `insert into "${table}" (${quotedColumns(columns)}) select ${quotedColumns(columns)} from ${text}`;

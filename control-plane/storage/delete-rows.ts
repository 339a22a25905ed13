import { type RawBuilder, sql } from 'kysely';
import type { Column } from './bulk.ts';
import type { Tables } from './tables.ts';
import type { Tx } from './transaction.ts';
import { valueList } from './value-list.ts';

/** Tables whose rows have an id of their own within a tenant. */
type TableWithId =
  | 'approvals'
  | 'apps'
  | 'captures'
  | 'dataset_items'
  | 'events'
  | 'incidents'
  | 'policy_checks';

/** Deletes the rows of a tenant that a query selects, and returns them. Limit the query. */
export async function deleteSelected<R extends { id: string | number }>(
  tx: Tx,
  table: TableWithId,
  tenantId: string,
  selected: { execute(): Promise<R[]> },
): Promise<R[]> {
  const rows = await selected.execute();
  if (rows.length > 0)
    await tx.db
      .deleteFrom(table as 'apps')
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', valueList(rows.map(({ id }) => id as string)))
      .execute();
  return rows;
}

export interface OlderRows<T extends keyof Tables> {
  tenantId: string;
  /** The columns of the primary key without the tenant. */
  key: readonly Column<T>[];
  column: Column<T>;
  before: number;
  limit: number;
}

/**
 * Deletes at most `limit` rows of a tenant that are older than `before`. Returns how many were
 * deleted.
 */
export async function deleteOlder<T extends keyof Tables>(
  tx: Tx,
  table: T,
  { tenantId, key, column, before, limit }: OlderRows<T>,
): Promise<number> {
  const columns = columnList(key);
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantId} and (${columns}) in (
      select ${columns} from ${sql.table(table)}
      where tenant_id = ${tenantId} and ${sql.ref(column)} < ${before} limit ${limit})`.execute(
    tx.db,
  );
  return Number(numAffectedRows ?? 0n);
}

export interface RowsOf<T extends keyof Tables> {
  tenantId: string;
  /** The first column of the primary key after the tenant. */
  column: Column<T>;
  /** The columns of the primary key that follow `column`. */
  key: readonly Column<T>[];
  /** The value of `column`. */
  id: string;
  limit: number;
}

/**
 * Deletes the first `limit` rows of a tenant, in the order of their key, whose column has this
 * value. Returns how many were deleted. The rows are deleted by a range of the key: with a list of
 * keys, SQLite would read all rows with the value for every batch.
 */
export async function deleteRowsOf<T extends keyof Tables>(
  tx: Tx,
  table: T,
  { tenantId, column, key, id, limit }: RowsOf<T>,
): Promise<number> {
  const columns = columnList(key);
  const rows = sql`${sql.table(table)} where tenant_id = ${tenantId} and ${sql.ref(column)} = ${id}`;
  const { rows: found } = await sql<Record<string, string | number>>`
    select ${columns} from ${rows} order by ${columns} limit 1 offset ${limit - 1}`.execute(tx.db);
  const [last] = found;
  const upToLast = last && sql` and (${columns}) <= (${sql.join(key.map((name) => last[name]))})`;
  const { numAffectedRows } = await sql`delete from ${rows}${upToLast ?? sql``}`.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

const columnList = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(name)));

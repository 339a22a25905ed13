import { type RawBuilder, sql } from 'kysely';
import type { Column } from './bulk.ts';
import type { Tables } from './tables.ts';
import type { Tx } from './transaction.ts';
import { valueList } from './value-list.ts';

/** Tables whose rows have an id of their own within a tenant. */
type TableWithId = 'approvals' | 'apps' | 'captures' | 'events' | 'incidents' | 'policy_checks';

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
  /** The primary key without the tenant. */
  key: readonly Column<T>[];
  column: Column<T>;
  before: number;
  limit: number;
}

/** Deletes at most `limit` rows of a tenant that are older than `before`. Returns how many. */
export const deleteOlder = <T extends keyof Tables>(
  tx: Tx,
  table: T,
  { column, before, ...rows }: OlderRows<T>,
): Promise<number> => deleteSome(tx, table, rows, sql`${sql.ref(column)} < ${before}`);

export interface RowsOf<T extends keyof Tables> {
  tenantId: string;
  /** The primary key without the tenant. */
  key: readonly Column<T>[];
  column: Column<T>;
  /** What the column names. */
  id: string;
  limit: number;
}

/** Deletes at most `limit` rows of a tenant whose column has this value. Returns how many. */
export const deleteRowsOf = <T extends keyof Tables>(
  tx: Tx,
  table: T,
  { column, id, ...rows }: RowsOf<T>,
): Promise<number> => deleteSome(tx, table, rows, sql`${sql.ref(column)} = ${id}`);

async function deleteSome(
  tx: Tx,
  table: keyof Tables,
  { tenantId, key, limit }: { tenantId: string; key: readonly string[]; limit: number },
  condition: RawBuilder<unknown>,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantId} and (${columns}) in (
      select ${columns} from ${sql.table(table)}
      where tenant_id = ${tenantId} and ${condition} limit ${limit})`.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

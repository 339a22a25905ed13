import { sql } from 'kysely';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';
import type { DatasetKey } from './queries.ts';

export type Item = Tables['dataset_items'];
export type ItemContent = Pick<
  Item,
  'input' | 'expected_output' | 'metadata' | 'input_preview' | 'expected_preview'
>;

const listed = [
  'id',
  'position',
  'input_preview',
  'expected_preview',
  'llm_call_id',
  'created_at',
  'updated_at',
  'archived_at',
] as const;

const itemsOf = (db: Db, { tenant_id, dataset_id }: DatasetKey) =>
  db
    .selectFrom('dataset_items')
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id);

/** Returns one page of items in the order of their position, and their number. */
export async function listItems(
  db: Db,
  key: DatasetKey,
  { limit, offset, state }: { limit: number; offset: number; state: 'active' | 'archived' },
) {
  const items = itemsOf(db, key).where('archived_at', state === 'active' ? 'is' : 'is not', null);
  const rows = await items.select(listed).orderBy('position').limit(limit).offset(offset).execute();
  return { rows, count: await countOf(items) };
}

export const findItem = (db: Db, key: DatasetKey, id: string) =>
  itemsOf(db, key)
    .select([...listed, 'dataset_id', 'input', 'expected_output', 'metadata'])
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * Returns the number of items of a dataset, including archived ones, and the size of their JSON in
 * bytes.
 */
export const sizeOfItems = (db: Db, key: DatasetKey) =>
  itemsOf(db, key)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(octet_length(input) + octet_length(metadata) + coalesce(octet_length(expected_output), 0)), 0)`.as(
        'bytes',
      ),
    ])
    .executeTakeFirstOrThrow();

/**
 * Reserves positions for this many new items, and returns the first one. Concurrent calls wait for
 * this transaction. Returns undefined if the dataset does not exist.
 */
export async function reservePositions(
  tx: Tx,
  { tenant_id, dataset_id }: DatasetKey,
  { count, now }: { count: number; now: number },
): Promise<number | undefined> {
  const row = await tx.db
    .updateTable('datasets')
    .set((eb) => ({ next_position: eb('next_position', '+', count), updated_at: now }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', dataset_id)
    .returning('next_position')
    .executeTakeFirst();
  return row && row.next_position - count;
}

/** Low enough for the parameters of one statement. */
const ROWS_PER_STATEMENT = 500;

export async function insertItems(tx: Tx, items: readonly Item[]): Promise<void> {
  for (let at = 0; at < items.length; at += ROWS_PER_STATEMENT)
    await tx.db
      .insertInto('dataset_items')
      .values(items.slice(at, at + ROWS_PER_STATEMENT))
      .execute();
}

export async function changeItem(
  tx: Tx,
  { tenant_id, dataset_id }: DatasetKey,
  id: string,
  change: Partial<ItemContent & Pick<Item, 'archived_at'>> & Pick<Item, 'updated_at'>,
): Promise<void> {
  await tx.db
    .updateTable('dataset_items')
    .set(change)
    .where('tenant_id', '=', tenant_id)
    .where('dataset_id', '=', dataset_id)
    .where('id', '=', id)
    .execute();
}

/** Finds the LLM calls with these ids that belong to the tenant. */
export async function findCallIds(
  db: Db,
  tenantId: string,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('llm_calls')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

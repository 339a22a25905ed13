import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';

/** Identifies an item, since a run is in a queue at most once. */
export interface ItemKey {
  tenant_id: string;
  queue_id: string;
  run_id: number;
}

export type QueueKey = Omit<ItemKey, 'run_id'>;

const withRun = (db: Db, { tenant_id, queue_id }: QueueKey) =>
  db
    .selectFrom('annotation_items as item')
    .innerJoin('runs as run', (join) =>
      join.onRef('run.tenant_id', '=', 'item.tenant_id').onRef('run.id', '=', 'item.run_id'),
    )
    .where('item.tenant_id', '=', tenant_id)
    .where('item.queue_id', '=', queue_id);

const columns = [
  'item.run_id',
  'item.status',
  'item.reviewer_id',
  'item.claim_expires_at',
  'item.added_at',
  'item.done_at',
  'item.comment',
  'item.score_ids',
  'run.agent_name',
  'run.workflow_name',
  'run.status as run_status',
  'run.started_at as run_started_at',
] as const;

export type StoredItem = Awaited<ReturnType<typeof listItems>>['rows'][number];

export interface ItemFilter {
  status?: Tables['annotation_items']['status'] | undefined;
  limit: number;
  offset: number;
}

/** Returns one page of items, in the order in which the runs were added. */
export async function listItems(db: Db, key: QueueKey, { status, limit, offset }: ItemFilter) {
  let items = withRun(db, key);
  if (status) items = items.where('item.status', '=', status);
  const rows = await items
    .select(columns)
    .orderBy('item.added_at')
    .orderBy('item.run_id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(items) };
}

export const findItem = (db: Db, key: ItemKey): Promise<StoredItem | undefined> =>
  withRun(db, key).select(columns).where('item.run_id', '=', key.run_id).executeTakeFirst();

/** Adds the runs that are not in the queue yet. Returns how many were added. */
export async function addItems(
  tx: Tx,
  { tenant_id, queue_id }: QueueKey,
  runIds: readonly number[],
  added_at: number,
): Promise<number> {
  const rows = runIds.map((run_id) => ({
    tenant_id,
    queue_id,
    run_id,
    status: 'pending' as const,
    reviewer_id: null,
    claim_expires_at: null,
    added_at,
    done_at: null,
    comment: null,
    score_ids: '[]',
  }));
  const key = ['tenant_id', 'queue_id', 'run_id'] as const;
  const inserted = await tx.bulk.insertNew('annotation_items', key, rows);
  return inserted.filter(Boolean).length;
}

export async function removeItem(tx: Tx, key: ItemKey): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('annotation_items')
    .where('tenant_id', '=', key.tenant_id)
    .where('queue_id', '=', key.queue_id)
    .where('run_id', '=', key.run_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export type ItemChange = Partial<Omit<Tables['annotation_items'], keyof ItemKey | 'added_at'>>;

/**
 * Changes an item. The caller must hold the lock of the queue, so that its items do not change in
 * the meantime.
 */
export async function changeItem(tx: Tx, key: ItemKey, change: ItemChange): Promise<void> {
  await tx.db
    .updateTable('annotation_items')
    .set(change)
    .where('tenant_id', '=', key.tenant_id)
    .where('queue_id', '=', key.queue_id)
    .where('run_id', '=', key.run_id)
    .execute();
}

/** Finds the item that the reviewer has claimed, or else the oldest pending item that is free. */
export async function nextRun(
  tx: Tx,
  { tenant_id, queue_id }: QueueKey,
  reviewerId: string,
  now: number,
): Promise<number | undefined> {
  const pending = () =>
    tx.db
      .selectFrom('annotation_items')
      .select('run_id')
      .where('tenant_id', '=', tenant_id)
      .where('queue_id', '=', queue_id)
      .where('status', '=', 'pending')
      .orderBy('added_at')
      .orderBy('run_id')
      .limit(1);
  const own = await pending().where('reviewer_id', '=', reviewerId).executeTakeFirst();
  if (own) return own.run_id;
  const free = await pending()
    .where((eb) => eb.or([eb('claim_expires_at', 'is', null), eb('claim_expires_at', '<=', now)]))
    .executeTakeFirst();
  return free?.run_id;
}

/** Finds the scores that a reviewer gave before. */
export async function findGivenScores(db: Db, tenantId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('scores')
    .select(['name', 'data_type', 'numeric_value', 'string_value'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .orderBy('id')
    .execute();
}

import { scheduleDeletion } from '../pending-deletions/queries.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';
import type { StatusCount } from './rules.ts';

export type StoredQueue = Tables['annotation_queues'];

interface Paging {
  limit: number;
  offset: number;
}

/** Returns one page of queues by name. */
export async function listQueues(db: Db, tenantId: string, { limit, offset }: Paging) {
  const queues = db.selectFrom('annotation_queues').where('tenant_id', '=', tenantId);
  const rows = await queues
    .selectAll()
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(queues) };
}

export const findQueue = (db: Db, tenantId: string, id: string): Promise<StoredQueue | undefined> =>
  db
    .selectFrom('annotation_queues')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

export const countQueues = (db: Db, tenantId: string): Promise<number> =>
  countOf(db.selectFrom('annotation_queues').where('tenant_id', '=', tenantId));

/** Counts the items of these queues by status, reading only an index. */
export async function countItems(
  db: Db,
  tenantId: string,
  queueIds: readonly string[],
): Promise<Map<string, StatusCount[]>> {
  if (queueIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('annotation_items')
    .select(({ fn }) => ['queue_id', 'status', fn.countAll<number>().as('count')])
    .where('tenant_id', '=', tenantId)
    .where('queue_id', 'in', valueList(queueIds))
    .groupBy(['queue_id', 'status'])
    .execute();
  return Map.groupBy(rows, ({ queue_id }) => queue_id);
}

export async function insertQueue(tx: Tx, queue: StoredQueue): Promise<void> {
  await tx.db.insertInto('annotation_queues').values(queue).execute();
}

export async function changeQueue(tx: Tx, queue: StoredQueue): Promise<void> {
  const { tenant_id, id, ...values } = queue;
  await tx.db
    .updateTable('annotation_queues')
    .set(values)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

/** Deletes a queue. Its items are deleted later. Its scores belong to the runs and are kept. */
export async function deleteQueue(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db
    .deleteFrom('annotation_queues')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
  await scheduleDeletion(tx, tenantId, { kind: 'annotation_queue', id });
}

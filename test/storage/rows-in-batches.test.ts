import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginStart } from '#control-plane/datasets/start-queries.ts';
import { deleteDueRows } from '#control-plane/pending-deletions/queries.ts';
import { ROWS_PER_STEP } from '#control-plane/pending-deletions/pending-deletion-job.ts';
import { deleteQueue } from '#control-plane/annotation-queues/queue-queries.ts';
import { deleteExperiment, deleteDataset } from '#control-plane/datasets/queries.ts';
import { copyItemsInBatches, ITEMS_PER_BATCH } from '#control-plane/experiments/copy-items.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { Tx } from '#control-plane/storage/transaction.ts';
import { countRows } from '../support/counted-rows.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const ITEMS = 450;
const key = { tenant_id: 'tnt_1', dataset_id: 'dts_1' };
const { tenant_id } = key;
const start = { ...key, id: 'xpt_1' };
const now = () => 1000;

describe.each(databases)('rows in batches on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: () => undefined });
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  const countIn = async (
    table: 'dataset_items' | 'experiment_results' | 'experiment_scores' | 'pending_deletions',
  ) =>
    (
      await storage.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count;

  /** Deletes until nothing is due; returns how many rows each transaction has written. */
  async function deleteAll(remove: (tx: Tx) => Promise<unknown>): Promise<number[]> {
    const counted = countRows(storage);
    await counted.storage.transaction(remove);
    while (await counted.storage.transaction((tx) => deleteDueRows(tx, now(), ROWS_PER_STEP)));
    return counted.written;
  }

  /** In addition to the rows: the state of the deletion, which is marked and then removed. */
  const MAX_DELETED = ROWS_PER_STEP + 2;

  test('an experiment is started in batches, and other writes run between them', async () => {
    await addItems(storage);
    await storage.transaction((tx) => beginStart(tx, start, 2000));
    const counted = countRows(storage);
    const order: string[] = [];
    const others: Promise<unknown>[] = [];
    const transaction: Storage['transaction'] = async (work) => {
      const copied = counted.storage.transaction(work);
      // This transaction arrives while the batch is being copied.
      others.push(storage.transaction(() => Promise.resolve(order.push('other'))));
      const result = await copied;
      order.push('batch');
      return result;
    };
    const copying = { now, storage: { ...storage, transaction } };
    expect(await copyItemsInBatches(copying, start, ITEMS + 1)).toBe(ITEMS);
    await Promise.all(others);
    expect(counted.written).toHaveLength(5);
    // One more for the state of the start.
    expect(Math.max(...counted.written)).toBe(ITEMS_PER_BATCH + 1);
    expect(order.slice(0, -1).filter((one) => one === 'other').length).toBeGreaterThanOrEqual(4);
    const rows = await storage.db
      .selectFrom('experiment_results')
      .select(['item_id', 'position'])
      .orderBy('position')
      .execute();
    expect(rows).toEqual(
      Array.from({ length: ITEMS }, (_, at) => ({ item_id: `dti_${at}`, position: at + 1 })),
    );
  });

  test('the copies for an experiment that is not started in time are deleted', async () => {
    const counted = countRows(storage);
    const deleteBatch = (at: number) =>
      counted.storage.transaction((tx) => deleteDueRows(tx, at, ROWS_PER_STEP));
    expect(await deleteBatch(1000)).toBe(false);
    const due = 1000 + 15_000;
    expect(await deleteBatch(due)).toBe(true);
    // From now on its process copies nothing.
    await expect(copyItemsInBatches({ now, storage }, start, ITEMS + 1)).rejects.toMatchObject({
      reason: 'invalid_state',
    });
    while (await deleteBatch(due));
    expect(Math.max(...counted.written)).toBeLessThanOrEqual(MAX_DELETED);
    expect([await countIn('experiment_results'), await countIn('pending_deletions')]).toEqual([
      0, 0,
    ]);
  });

  test('the results and scores of a deleted experiment are deleted in batches', async () => {
    await storage.transaction((tx) => beginStart(tx, start, 2000));
    await copyItemsInBatches({ now, storage }, start, ITEMS + 1);
    await storage.db.deleteFrom('pending_deletions').execute();
    await storage.db.insertInto('experiments').values(experiment).execute();
    const score = { tenant_id, experiment_id: start.id, attempt: 1, value: 1 };
    for (const name of ['a', 'b'])
      await storage.db
        .insertInto('experiment_scores')
        .values(
          Array.from({ length: ITEMS }, (_, at) => ({ ...score, item_id: `dti_${at}`, name })),
        )
        .execute();
    const written = await deleteAll((tx) =>
      deleteExperiment(tx, { tenant_id, experiment_id: start.id }),
    );
    expect(Math.max(...written)).toBeLessThanOrEqual(MAX_DELETED);
    for (const table of ['experiment_results', 'experiment_scores', 'pending_deletions'] as const)
      expect([table, await countIn(table)]).toEqual([table, 0]);
  });

  test('the items of a deleted dataset are deleted in batches, and those of other datasets are kept', async () => {
    await storage.db
      .insertInto('dataset_items')
      .values({ ...itemAt(0), id: 'dti_other', dataset_id: 'dts_other' })
      .execute();
    const written = await deleteAll((tx) => deleteDataset(tx, key));
    expect(written.length).toBeGreaterThan(ITEMS / ROWS_PER_STEP);
    expect(Math.max(...written)).toBeLessThanOrEqual(MAX_DELETED);
    expect([await countIn('dataset_items'), await countIn('pending_deletions')]).toEqual([1, 0]);
  });

  test('the items of a deleted annotation queue are deleted in batches', async () => {
    const rows = Array.from({ length: ITEMS }, (_, run_id) => ({
      tenant_id,
      queue_id: 'anq_1',
      run_id,
      status: 'pending' as const,
      added_at: 1,
      score_ids: '[]',
    }));
    await storage.db.insertInto('annotation_items').values(rows).execute();
    const written = await deleteAll((tx) => deleteQueue(tx, tenant_id, 'anq_1'));
    expect(Math.max(...written)).toBeLessThanOrEqual(MAX_DELETED);
    expect(await storage.db.selectFrom('annotation_items').selectAll().execute()).toEqual([]);
  });
});

const times = { created_at: 1, updated_at: 1 };

const itemAt = (at: number) => ({
  ...key,
  ...times,
  id: `dti_${at}`,
  position: at + 1,
  input: '{}',
  input_preview: '',
  metadata: '{}',
});

async function addItems({ db }: Storage): Promise<void> {
  await db
    .insertInto('datasets')
    .values({
      ...times,
      tenant_id,
      id: key.dataset_id,
      name: 'd',
      description: '',
      created_by: 'o',
      next_position: ITEMS + 1,
    })
    .execute();
  const items = Array.from({ length: ITEMS }, (_, at) => itemAt(at));
  await db.insertInto('dataset_items').values(items).execute();
}

const experiment = {
  ...start,
  name: 'e',
  status: 'running' as const,
  lease_id: '',
  lease_until: 0,
  model: 'm',
  concurrency: 1,
  created_by: 'o',
  created_at: 1,
  config: '{}',
  evaluators: '[]',
};

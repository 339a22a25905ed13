import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  beginStart,
  countStarts,
  endStart,
  isBeingCopied,
} from '#control-plane/datasets/start-queries.ts';
import { scheduleDeletion, deleteDueRows } from '#control-plane/pending-deletions/queries.ts';
import { completeOrAbandon, copyItemsInBatches } from '#control-plane/experiments/copy-items.ts';
import { beginAttempt, replaceScores } from '#control-plane/experiments/retry-queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const start = { tenant_id: 'tnt_1', dataset_id: 'dts_1', id: 'xpt_1' };
const { tenant_id } = start;
const log = { error: (problem: unknown) => expect.fail(String(problem)) } as never;

describe.each(databases)('pending deletions on %s', (kind) => {
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
  afterEach(async () => {
    for (const table of ['pending_deletions', 'experiment_results', 'experiment_scores'] as const)
      await storage.db.deleteFrom(table).execute();
  });

  const batch = (now: number) => storage.transaction((tx) => deleteDueRows(tx, now, 1));
  const starting = async (now: number) => [
    await countStarts(storage.db, tenant_id, now),
    await isBeingCopied(storage.db, start, now),
  ];
  const pending = async () =>
    (await storage.db.selectFrom('pending_deletions').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );
  const addResults = (experiment_id: string, count: number) =>
    storage.db
      .insertInto('experiment_results')
      .values(Array.from({ length: count }, (_, at) => resultOf(experiment_id, `dti_${at}`)))
      .execute();

  test('an expired start blocks nothing, whatever else is to be deleted', async () => {
    await storage.transaction((tx) => beginStart(tx, start, 2000));
    await storage.transaction((tx) =>
      scheduleDeletion(tx, tenant_id, { kind: 'experiment', id: 'xpt_old' }),
    );
    expect(await starting(1999)).toEqual([1, true]);
    expect(await starting(2000)).toEqual([0, false]);
    // Its process also detects the expiry.
    expect(await storage.transaction((tx) => endStart(tx, start, 2000))).toBe(false);
    await expect(copyItemsInBatches({ storage, now: () => 2000 }, start, 10)).rejects.toMatchObject(
      {
        reason: 'invalid_state',
      },
    );
  });

  test('deletions take turns', async () => {
    await addResults('xpt_a', 5);
    await addResults(start.id, 2);
    await storage.transaction((tx) =>
      scheduleDeletion(tx, tenant_id, { kind: 'experiment', id: 'xpt_a' }),
    );
    await storage.transaction((tx) => beginStart(tx, start, 2000));
    // Two rows and the end of the shorter deletion, in turns with the longer one.
    for (let now = 3000; now < 3006; now += 1) expect(await batch(now)).toBe(true);
    expect(await pending()).toEqual(['xpt_a']);
    while (await batch(4000));
    expect(await pending()).toEqual([]);
  });

  test('a failed start is abandoned at once', async () => {
    await storage.transaction((tx) => beginStart(tx, start, 2000));
    const failed = completeOrAbandon({ storage, log }, start, () =>
      Promise.reject(new Error('the disk is full')),
    );
    await expect(failed).rejects.toThrow('the disk is full');
    expect(await starting(1000)).toEqual([0, false]);
    expect(await batch(1000)).toBe(true);
  });

  test('a deleted experiment starts no attempt', async () => {
    const key = { tenant_id, experiment_id: 'xpt_gone' };
    expect(await storage.transaction((tx) => beginAttempt(tx, key))).toBe(false);
  });

  test('the cost of judging again is added once, however often it is stored', async () => {
    await addResults('xpt_judged', 1);
    const key = { tenant_id, experiment_id: 'xpt_judged', item_id: 'dti_0' };
    await storage.db
      .insertInto('experiment_scores')
      .values({ ...key, name: 'judge', error: 'down', attempt: 1 })
      .execute();
    const lease = { tenant_id, id: 'xpt_judged', lease_id: 'l', attempt: 2 };
    const score = { name: 'judge', value: 1, passed: null, reason: null, error: null };
    for (let at = 0; at < 2; at += 1)
      await storage.transaction((tx) =>
        replaceScores(tx, lease, 'dti_0', { scores: [score], cost: 0.25 }),
      );
    const { evaluation_cost } = await storage.db
      .selectFrom('experiment_results')
      .select('evaluation_cost')
      .executeTakeFirstOrThrow();
    expect(evaluation_cost).toBe(0.25);
  });
});

const resultOf = (experiment_id: string, item_id: string) => ({
  tenant_id,
  experiment_id,
  item_id,
  position: 1,
  status: 'completed' as const,
  tokens_in: 0,
  tokens_out: 0,
  cost: 0,
  evaluation_cost: 0,
  input_preview: '',
  output_preview: '',
  missing_variables: '[]',
  ignored_settings: '[]',
  tool_calls: '[]',
  input: '{}',
  output: '',
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#control-plane/context.ts';
import { retryExperiment } from '#control-plane/experiments/retry-experiment.ts';
import { startExperiment } from '#control-plane/experiments/start-experiment.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const key = { tenant_id: 'tnt_1', dataset_id: 'dts_1' };
const { tenant_id, dataset_id } = key;
const times = { created_at: 1, updated_at: 1 };
const caller = { tenantId: tenant_id, userId: 'u', email: 'o@one.test' };
const body = {
  name: 'e',
  content: '{{n}}',
  config: { model: 'm' },
  evaluators: [],
  concurrency: 1,
};

describe.each(databases)('responses about experiments on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: () => undefined });
    const dataset = { ...times, tenant_id, id: dataset_id, name: 'd', description: '' };
    await storage.db
      .insertInto('datasets')
      .values({ ...dataset, created_by: 'o', next_position: 2 })
      .execute();
    const item = { ...times, tenant_id, dataset_id, id: 'dti_1', position: 1 };
    await storage.db
      .insertInto('dataset_items')
      .values({ ...item, input: '{}', input_preview: '', metadata: '{}' })
      .execute();
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  test('are returned once data is stored, even if nothing can be read afterwards', async () => {
    let ids = 0;
    const context = {
      storage: {
        ...storage,
        get reader(): never {
          throw new Error('no connection remains');
        },
      },
      config: { llm: { provider: 'openai', apiKey: 'k', timeoutSeconds: 1 } },
      secrets: { auditKey: Buffer.alloc(32) },
      now: () => 1000,
      newId: (prefix: string) => `${prefix}_${(ids += 1)}`,
    } as unknown as Context;
    const request = { caller, address: '127.0.0.1', body };
    const start = { ...request, params: { dataset_id } } as never;
    const { id: experiment_id } = await startExperiment(context, start);
    await storage.db.updateTable('experiments').set({ status: 'cancelled' }).execute();
    const retry = { ...request, params: { dataset_id, experiment_id } } as never;
    expect(await retryExperiment(context, retry)).toMatchObject({
      id: experiment_id,
      status: 'running',
      item_count: 1,
    });
  });
});

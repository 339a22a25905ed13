import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#control-plane/context.ts';
import { startExperimentJob } from '#control-plane/experiments/experiment-job.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { Check } from '#control-plane/storage/readiness.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';

const experiment = {
  tenant_id: 'tnt_1',
  id: 'xpt_1',
  dataset_id: 'dts_1',
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

describe.each(databases)('claims of experiments on %s', (kind) => {
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

  const stored = () =>
    storage.db.selectFrom('experiments').select(['lease_id', 'status']).executeTakeFirstOrThrow();

  test('no experiment is claimed while results could not be stored', async () => {
    await storage.db.insertInto('experiments').values(experiment).execute();
    let check: Check = { status: 'failed', reason: 'the disk of DATA_DIR is full' };
    let looked = 0;
    const checks = {
      ...storage.checks,
      recording: () => {
        looked += 1;
        return Promise.resolve(check);
      },
    };
    const stop = startExperimentJob({
      storage: { ...storage, checks },
      now: () => 1000,
      log: { error: (problem: unknown) => expect.fail(String(problem)) },
      findTenantState: () => Promise.resolve(undefined),
    } as unknown as Context);
    // The second check starts when the first has ended.
    await pollUntil(stored, ({ lease_id }) => looked >= 2 || lease_id !== '');
    expect(await stored()).toEqual({ lease_id: '', status: 'running' });
    check = { status: 'ok' };
    storage.signals.publish({ tenant_id: experiment.tenant_id, topic: 'experiments' });
    const ended = await pollUntil(stored, ({ status }) => status !== 'running');
    expect(ended).toEqual({ lease_id: expect.stringMatching(/./) as string, status: 'completed' });
    await stop();
  });
});

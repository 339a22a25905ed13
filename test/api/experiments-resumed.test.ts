import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { DATABASE_FILE, openStorage } from '#control-plane/storage/open.ts';
import {
  API_KEY,
  startOn as startControlPlaneOn,
  startTestControlPlane,
} from '../support/control-plane.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { makeDataset, startExperimentOn } from '../support/datasets.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { settings } from '../support/playground.ts';
import { pollUntil } from '../support/processes.ts';

const lastSaid = ({ messages }: Record<string, unknown>): string =>
  String((messages as { content: unknown }[]).at(-1)?.content);

const sent = (models: ModelProvider, count: number) =>
  pollUntil(
    () => models.requests.length,
    (length) => length >= count,
  );

test.each(databases)(
  'after a restart, only items that were in progress are sent again on %s',
  async (kind) => {
    const models = await startModelProvider();
    const database = await newDatabase(kind);
    const start = async () => {
      const { controlPlane } = await startControlPlaneOn(database, settings(models, 'openai'));
      const api = createClient(contract, {
        baseUrl: controlPlane.urls.public,
        headers: () => ({ 'X-Svc-Key': API_KEY }),
      });
      return { controlPlane, api };
    };
    const answerAll = () => {
      for (const answer of models.pausedRequests.splice(0)) answer();
    };

    const first = await start();
    const items = Array.from({ length: 6 }, (_, n) => ({ input: { n } }));
    const { params } = await makeDataset(first.api, items);
    const started = await startExperimentOn(first.api, params, {
      content: 'item {{n}}',
      config: { model: 'held' },
      concurrency: 2,
    });
    await sent(models, 2);
    answerAll();
    await pollUntil(started.get, ({ completed_count }) => completed_count === 2);
    await sent(models, 4);
    await first.controlPlane.close();

    const second = await start();
    const get = () => second.api.experiments.getExperiment(started.experimentRequest);
    expect(await get()).toMatchObject({ status: 'running', completed_count: 2 });
    const ended = await pollUntil(
      () => {
        answerAll();
        return get();
      },
      ({ status }) => status !== 'running',
    );
    expect(ended).toMatchObject({ status: 'completed', completed_count: 6, failed_count: 0 });
    const times = Map.groupBy(models.requests.map(lastSaid), (text) => text);
    expect(
      Object.fromEntries([...times].map(([text, requests]) => [text, requests.length])),
    ).toEqual({ 'item 0': 1, 'item 1': 1, 'item 2': 2, 'item 3': 2, 'item 4': 1, 'item 5': 1 });

    await second.controlPlane.close();
    await database.remove();
    await models.stop();
  },
);

test.each(databases)(
  'after a restart, failed items are not sent again in any attempt on %s',
  async (kind) => {
    const models = await startModelProvider();
    const database = await newDatabase(kind);
    const storage = await openStorage({ ...database, onProblem: () => undefined });
    const start = () => startControlPlaneOn(database, settings(models, 'openai'));
    const clientOf = ({ controlPlane }: Awaited<ReturnType<typeof start>>) =>
      createClient(contract, {
        baseUrl: controlPlane.urls.public,
        headers: () => ({ 'X-Svc-Key': API_KEY }),
      });
    let service = await start();
    const items = [{ input: { n: 0 } }, { input: { n: 1 } }];
    const { params, item_ids } = await makeDataset(clientOf(service), items);
    const { experimentRequest } = await startExperimentOn(clientOf(service), params, {
      content: '{{n}}',
      config: { model: 'held' },
      concurrency: 1,
    });
    const get = () => clientOf(service).experiments.getExperiment(experimentRequest);
    const answer = () => models.pausedRequests.splice(0).forEach((one) => one());
    const markFailed = (ids: string[]) =>
      storage.db
        .updateTable('experiment_results')
        .set({ status: 'failed', error: 'refused' })
        .where('item_id', 'in', ids)
        .execute();

    // The first item fails, and the process stops while the second is in progress.
    const interruptAfterFirst = async (requests: number) => {
      await sent(models, requests);
      answer();
      await sent(models, requests + 1);
      await markFailed(item_ids.slice(0, 1));
      await service.controlPlane.close();
      models.pausedRequests.length = 0;
      service = await start();
      await sent(models, requests + 2);
      const ended = await pollUntil(
        () => {
          answer();
          return get();
        },
        ({ status }) => status !== 'running',
      );
      expect(ended).toMatchObject({ completed_count: 1, failed_count: 1 });
    };
    await interruptAfterFirst(1);
    await markFailed(item_ids);
    await clientOf(service).experiments.retryExperiment(experimentRequest);
    await interruptAfterFirst(4);
    expect(models.requests.map(lastSaid)).toEqual(['0', '1', '1', '0', '1', '1']);

    await storage.close();
    await service.controlPlane.close();
    await database.remove();
    await models.stop();
  },
);

test.each(databases)('a received output survives a restart on %s', async (kind) => {
  const models = await startModelProvider();
  const database = await newDatabase(kind);
  const start = () => startControlPlaneOn(database, settings(models, 'openai'));
  const clientOf = ({ controlPlane }: Awaited<ReturnType<typeof start>>) =>
    createClient(contract, {
      baseUrl: controlPlane.urls.public,
      headers: () => ({ 'X-Svc-Key': API_KEY }),
    });
  const first = await start();
  const { params } = await makeDataset(clientOf(first), [{ input: { n: 1 } }]);
  const { experimentRequest } = await startExperimentOn(clientOf(first), params, {
    content: '{{n}}',
    config: { model: 'echo' },
    evaluators: [{ type: 'llm_judge', name: 'judge', model: 'held', prompt: '{{output}}' }],
  });
  await sent(models, 2);
  await first.controlPlane.close();

  const second = await start();
  const api = clientOf(second);
  const ended = await pollUntil(
    () => api.experiments.getExperiment(experimentRequest),
    ({ status }) => status !== 'running',
  );
  expect(ended).toMatchObject({ status: 'completed', completed_count: 1 });
  const { results } = await api.experiments.listExperimentResults({
    ...experimentRequest,
    query: { limit: 100 },
  });
  expect(results[0]?.scores[0]?.error).toMatch(/^interrupted: /);
  expect(models.requests).toHaveLength(2);
  await second.controlPlane.close();
  await database.remove();
  await models.stop();
});

test.each(databases)(
  'a process that was paused for longer than its lease does not run its items twice on %s',
  async (kind) => {
    const models = await startModelProvider();
    const service = await startTestControlPlane(kind, settings(models, 'openai'));
    const api = service.byOwner;
    const config = { model: 'held' };
    const { params } = await makeDataset(api, [{ input: { n: 1 } }]);
    const first = await startExperimentOn(api, params, { content: 'first {{n}}', config });
    await sent(models, 1);
    service.setTime(Date.now() + 20_000);
    // The oldest experiment is claimed first: once the second runs, the first could have been
    // claimed again.
    const second = await startExperimentOn(api, params, { content: 'second {{n}}', config });
    await pollUntil(
      () => models.requests.map(lastSaid),
      (texts) => texts.includes('second 1'),
    );
    for (const answer of models.pausedRequests.splice(0)) answer();
    for (const started of [first, second])
      expect(await started.waitUntilEnded()).toMatchObject({ completed_count: 1, failed_count: 0 });
    expect(models.requests.map(lastSaid)).toEqual(['first 1', 'second 1']);
    await service.stop();
    await models.stop();
  },
);

test('while the database rejects writes, a response is kept and its model is not called again', async () => {
  const models = await startModelProvider();
  const database = await newDatabase('sqlite');
  const { controlPlane, setTime } = await startControlPlaneOn(database, settings(models, 'openai'));
  const api = createClient(contract, {
    baseUrl: controlPlane.urls.public,
    headers: () => ({ 'X-Svc-Key': API_KEY }),
  });
  const { params } = await makeDataset(api, [{ input: { n: 1 } }]);
  const started = await startExperimentOn(api, params, {
    content: '{{n}}',
    config: { model: 'held' },
  });
  await sent(models, 1);
  const foreign = new BetterSqlite3(join(database.dataDir, DATABASE_FILE));
  foreign.exec('begin immediate');
  const refusedWrite = () =>
    expect(makeDataset(api)).rejects.toMatchObject({
      message: expect.stringMatching(/^another program has locked the database/) as string,
    });
  for (const answer of models.pausedRequests.splice(0)) answer();
  // Writes are sequential: the second is rejected after the write of the result.
  await refusedWrite();
  await refusedWrite();
  setTime(Date.now() + 20_000);
  foreign.close();
  expect(await started.waitUntilEnded()).toMatchObject({ status: 'completed', completed_count: 1 });
  expect(models.requests).toHaveLength(1);
  await controlPlane.close();
  await database.remove();
  await models.stop();
});

test.each(databases)('experiments of a suspended tenant pause on %s', async (kind) => {
  const models = await startModelProvider();
  const service = await startTestControlPlane(kind, settings(models, 'openai'));
  const { id, api_key } = await service.byKey.subTenants.createSubTenant({ body: { name: 'sub' } });
  const api = service.by({ 'X-Svc-Key': api_key });
  const { params } = await makeDataset(api, [{ input: { n: 1 } }]);
  const started = await startExperimentOn(api, params, {
    content: '{{n}}',
    config: { model: 'held' },
  });
  await sent(models, 1);
  const tenant = { params: { sub_tenant_id: id } };
  await service.byKey.subTenants.suspendSubTenant({ ...tenant, body: {} });
  await pollUntil(
    () => models.abortedRequests,
    (abandoned) => abandoned === 1,
  );
  await service.byKey.subTenants.resumeSubTenant(tenant);
  expect(await started.get()).toMatchObject({ status: 'running', completed_count: 0 });
  models.pausedRequests.length = 0;
  // It is retried after half a minute.
  service.setTime(Date.now() + 31_000);
  await sent(models, 2);
  for (const answer of models.pausedRequests.splice(0)) answer();
  expect(await started.waitUntilEnded()).toMatchObject({ status: 'completed', completed_count: 1 });
  await service.stop();
  await models.stop();
});

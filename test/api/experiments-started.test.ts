import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { beginStart } from '#control-plane/datasets/start-queries.ts';
import { copyItemsInBatches } from '#control-plane/experiments/copy-items.ts';
import { firstTenant } from '#control-plane/tenants/queries.ts';
import { databases } from '../support/databases.ts';
import { makeDataset, startExperimentOn } from '../support/datasets.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { errorMatching, settings } from '../support/playground.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const ITEMS = 250;
const items = Array.from({ length: ITEMS }, (_, n) => ({ input: { n } }));
const body = { content: '{{n}}', config: { model: 'held' }, concurrency: 1 };

describe.each(databases)('starting an experiment on %s', (kind) => {
  let models: ModelProvider;
  let service: TwoTenants;
  let api: TwoTenants['one']['byOwner'];
  let tenant_id: string;
  beforeAll(async () => {
    models = await startModelProvider();
    service = await startTwoTenants(kind, settings(models, 'openai'));
    api = service.one.byOwner;
    ({ id: tenant_id } = await firstTenant(service.storage.db));
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  let starts = 0;
  afterEach(() => service.setTime(undefined));
  /** Simulates a process that died while copying items; the start is abandoned after 15 s. */
  async function beginOn({ dataset_id }: { dataset_id: string }, now: number) {
    service.setTime(now);
    const start = { tenant_id, dataset_id, id: `xpt_begun_${(starts += 1)}` };
    await service.storage.transaction((tx) => beginStart(tx, start, now + 15_000));
    const { storage } = service;
    const copy = () => copyItemsInBatches({ storage, now: () => now }, start, ITEMS + 1);
    return { start, copy };
  }

  const rowsOf = async (experiment_id: string): Promise<number> => {
    const rows = await service.storage.db
      .selectFrom('experiment_results')
      .select('item_id')
      .where('experiment_id', '=', experiment_id)
      .execute();
    return rows.length;
  };

  test('an experiment has all items that are not archived, in their order', async () => {
    const { params, item_ids } = await makeDataset(api, items);
    const [archived = '', ...others] = item_ids;
    await api.datasets.updateDatasetItem({
      params: { ...params, item_id: archived },
      body: { archived: true },
    });
    const { experimentRequest, get } = await startExperimentOn(api, params, body);
    expect((await get()).item_count).toBe(ITEMS - 1);
    const { results } = await api.experiments.listExperimentResults({
      ...experimentRequest,
      query: { limit: 100, offset: 100 },
    });
    expect(results.map(({ item_id }) => item_id)).toEqual(others.slice(100, 200));
    await api.experiments.cancelExperiment(experimentRequest);
  });

  test('while items are copied, none can be changed, new ones can be added, and the experiment is not listed', async () => {
    const { params, item_ids } = await makeDataset(api, items);
    const { copy } = await beginOn(params, Date.now());
    const archive = () =>
      api.datasets.updateDatasetItem({
        params: { ...params, item_id: item_ids[0] ?? '' },
        body: { archived: true },
      });
    await expect(archive()).rejects.toMatchObject(
      errorMatching(409, /^an experiment is being started and copies the items/),
    );
    await api.datasets.addDatasetItems({ params, body: { items: [{ input: {} }] } });
    expect(await copy()).toBe(ITEMS);
    expect((await api.experiments.listExperiments({ params, query: {} })).results).toEqual([]);
    expect((await api.datasets.getDataset({ params })).experiment_count).toBe(0);
    await service.storage.db.deleteFrom('pending_deletions').execute();
    expect((await archive()).archived_at).not.toBeNull();
  });

  test('a start abandoned after a crash leaves no data, and the dataset can be used again', async () => {
    const { params, item_ids } = await makeDataset(api, items);
    const { start, copy } = await beginOn(params, Date.now());
    await copy();
    service.setTime(Date.now() + 20_000);
    await pollUntil(
      () => rowsOf(start.id),
      (count) => count === 0,
    );
    await api.datasets.updateDatasetItem({
      params: { ...params, item_id: item_ids[0] ?? '' },
      body: { archived: true },
    });
  });

  test('a start whose copying fails is abandoned at once', async () => {
    const { params, item_ids } = await makeDataset(api, items);
    const rename = (from: string, to: string) =>
      service.storage.db.schema.alterTable('experiment_results').renameColumn(from, to).execute();
    await rename('tool_calls', 'renamed');
    await expect(startExperimentOn(api, params, body)).rejects.toMatchObject({ status: 500 });
    await api.datasets.updateDatasetItem({
      params: { ...params, item_id: item_ids[0] ?? '' },
      body: { archived: true },
    });
    await rename('renamed', 'tool_calls');
    await pollUntil(
      () => service.storage.db.selectFrom('pending_deletions').select('id').execute(),
      (rows) => rows.length === 0,
    );
  });

  test('deleting the dataset ends the start', async () => {
    const { params } = await makeDataset(api, items);
    const { start, copy } = await beginOn(params, Date.now());
    await copy();
    await api.datasets.deleteDataset({ params });
    await expect(copy()).rejects.toMatchObject({ reason: 'invalid_state' });
    await pollUntil(
      () => rowsOf(start.id),
      (count) => count === 0,
    );
  });

  test('starting experiments count towards the limit', async () => {
    const { params } = await makeDataset(api, items);
    for (let at = 0; at < 5; at += 1) await beginOn(params, Date.now());
    await expect(startExperimentOn(api, params, body)).rejects.toMatchObject(
      errorMatching(409, /^5 experiments are running/),
    );
    await service.storage.db.deleteFrom('pending_deletions').execute();
  });

  test('the rows of deleted experiments are eventually deleted', async () => {
    const { params } = await makeDataset(api, items);
    const { id } = await startExperimentOn(api, params, body);
    expect(await rowsOf(id)).toBe(ITEMS);
    await api.datasets.deleteDataset({ params });
    await pollUntil(
      () => rowsOf(id),
      (count) => count === 0,
    );
    await pollUntil(
      () => service.storage.db.selectFrom('pending_deletions').select('id').execute(),
      (rows) => rows.length === 0,
    );
  });
});

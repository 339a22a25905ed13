import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { makeDataset } from '../support/datasets.ts';
import { errorMatching } from '../support/prompts.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { OWNER } from '../support/control-plane.ts';

describe.each(databases)('datasets on %s', (kind) => {
  let service: TwoTenants;
  let api: TwoTenants['one']['byOwner'];
  let { datasets } = {} as TwoTenants['one']['byOwner'];
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    api = service.one.byOwner;
    ({ datasets } = api);
  });
  afterAll(() => service.stop());

  const pageOf = (params: { dataset_id: string }, query: object = {}) =>
    datasets.listDatasetItems({ params, query });

  test('a dataset is created, read, changed and deleted', async () => {
    const created = await datasets.createDataset({ body: { name: ' questions ' } });
    expect(created).toMatchObject({
      name: 'questions',
      description: '',
      item_count: 0,
      archived_count: 0,
      experiment_count: 0,
      created_by: OWNER.email,
    });
    const params = { dataset_id: created.id };
    const changed = await datasets.updateDataset({ params, body: { description: 'of May' } });
    expect(changed).toMatchObject({ name: 'questions', description: 'of May' });
    expect(await datasets.getDataset({ params })).toEqual(changed);
    const { results, count } = await datasets.listDatasets({ query: {} });
    expect([results[0], count]).toEqual([changed, results.length]);
    await datasets.deleteDataset({ params });
    await expect(datasets.getDataset({ params })).rejects.toMatchObject(
      errorMatching(404, /^there is no dataset dts_/),
    );
  });

  test('the name of a dataset is unique within a tenant', async () => {
    await datasets.createDataset({ body: { name: 'twice' } });
    const again = { body: { name: 'twice' } };
    await expect(datasets.createDataset(again)).rejects.toMatchObject(
      errorMatching(409, /^name: another dataset is named "twice"$/),
    );
    const { params } = await makeDataset(api);
    await expect(datasets.updateDataset({ params, ...again })).rejects.toMatchObject({
      status: 409,
    });
    await service.other.byOwner.datasets.createDataset(again);
  });

  test('items are added in bulk and read back unchanged and in order', async () => {
    const chat = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
    const { params, item_ids } = await makeDataset(api, [
      { input: { question: 'Capital?' }, expected_output: 'Paris', metadata: { topic: 'geo' } },
      { input: chat, expected_output: { answer: [1, null] } },
      { input: {} },
    ]);
    await datasets.addDatasetItems({ params, body: { items: [{ input: { last: true } }] } });
    const { results, count } = await pageOf(params);
    expect(
      results.map(({ input_preview, expected_preview }) => [input_preview, expected_preview]),
    ).toEqual([
      ['question: Capital?', 'Paris'],
      ['user: Hi', '{"answer":[1,null]}'],
      ['', null],
      ['last: true', null],
    ]);
    expect(count).toBe(4);
    const read = await Promise.all(
      item_ids.map((item_id) => datasets.getDatasetItem({ params: { ...params, item_id } })),
    );
    expect(read).toMatchObject([
      { input: { question: 'Capital?' }, expected_output: 'Paris', metadata: { topic: 'geo' } },
      { input: chat, expected_output: { answer: [1, null] }, metadata: {} },
      { input: {}, expected_output: null, llm_call_id: null, archived_at: null },
    ]);
  });

  test('items are paged', async () => {
    const items = Array.from({ length: 5 }, (_, n) => ({ input: { n } }));
    const { params } = await makeDataset(api, items);
    const { results, next, previous } = await pageOf(params, { limit: '2', offset: '2' });
    expect(results.map(({ input_preview }) => input_preview)).toEqual(['n: 2', 'n: 3']);
    expect([next, previous]).toEqual([
      expect.stringMatching(/limit=2&offset=4$/),
      expect.stringMatching(/limit=2&offset=0$/),
    ]);
  });

  test('an item is edited, archived and restored', async () => {
    const { params, item_ids } = await makeDataset(api, [
      { input: { q: 'a' }, expected_output: 'x', metadata: { kept: 1 } },
      { input: { q: 'b' } },
    ]);
    const of = { params: { ...params, item_id: item_ids[0] ?? '' } };
    const edited = await datasets.updateDatasetItem({
      ...of,
      body: { input: { q: 'changed' }, expected_output: null },
    });
    expect(edited).toMatchObject({
      input: { q: 'changed' },
      input_preview: 'q: changed',
      expected_output: null,
      expected_preview: null,
      metadata: { kept: 1 },
    });
    const archived = await datasets.updateDatasetItem({ ...of, body: { archived: true } });
    expect(archived.archived_at).not.toBeNull();
    expect((await pageOf(params)).results.map(({ id }) => id)).toEqual([item_ids[1]]);
    expect((await pageOf(params, { state: 'archived' })).results.map(({ id }) => id)).toEqual([
      item_ids[0],
    ]);
    expect(await datasets.getDataset({ params })).toMatchObject({
      item_count: 1,
      archived_count: 1,
    });
    await datasets.updateDatasetItem({ ...of, body: { archived: false } });
    expect((await pageOf(params)).count).toBe(2);
  });

  test('an item may refer only to a call of its tenant', async () => {
    const { recording } = service.one.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'a' } });
    const call = { model: 'm', tokens_in: 1, tokens_out: 1 };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    const { llm_calls } = await api.runs.getRun({ params: { id: run_id } });
    const llm_call_id = llm_calls[0]?.id as number;
    const { params } = await makeDataset(api, [{ input: {}, llm_call_id }]);
    expect((await pageOf(params)).results[0]).toMatchObject({ llm_call_id });
    const foreign = await makeDataset(service.other.byOwner);
    const body = { items: [{ input: {}, llm_call_id }] };
    await expect(
      service.other.byOwner.datasets.addDatasetItems({ params: foreign.params, body }),
    ).rejects.toMatchObject(
      errorMatching(404, new RegExp(`^there is no LLM call ${llm_call_id}$`)),
    );
  });

  test.each([
    ['no input', { expected_output: 'x' }, /^items\[0\]\.input: is required/],
    ['a text as input', { input: 'x' }, /input: expected an object with variables, or an array/],
    ['a message without content', { input: [{ role: 'user' }] }, /input: message 0: content/],
    ['a role that is none', { input: [{ role: 'tool', content: 'x' }] }, /message 0: role/],
    ['another member', { input: {}, output: 'x' }, /items\[0\]/],
  ])('an item is rejected: %s', async (_what, item, message) => {
    const { params } = await makeDataset(api);
    await expect(
      datasets.addDatasetItems({
        params,
        body: { items: [{ input: {} }, item].reverse() as never },
      }),
    ).rejects.toMatchObject(errorMatching(400, message));
    expect((await pageOf(params)).count).toBe(0);
  });

  test('an item has at most 100,000 bytes, when added and when changed', async () => {
    const long = { text: 'ü'.repeat(50_000) };
    const { params, item_ids } = await makeDataset(api, [{ input: { text: 'short' } }]);
    const add = (input: object) =>
      datasets.addDatasetItems({
        params,
        body: { items: [{ input: {} }, { input: { ...input } }] },
      });
    await expect(add(long)).rejects.toMatchObject(
      errorMatching(
        400,
        /^items\[1\]: input, .* 100013 bytes of JSON together, at most 100000 allowed$/,
      ),
    );
    const of = { params: { ...params, item_id: item_ids[0] ?? '' } };
    await expect(
      datasets.updateDatasetItem({ ...of, body: { metadata: long } }),
    ).rejects.toMatchObject(errorMatching(400, /^item: input, .* bytes of JSON together/));
    expect((await pageOf(params)).count).toBe(1);
  });

  test('a dataset has at most 50 MB', async () => {
    const { params, item_ids } = await makeDataset(api, [{ input: { text: '' } }]);
    const items = (count: number) =>
      Array.from({ length: count }, () => ({ input: { text: 'x'.repeat(99_000) } }));
    const add = (count: number) =>
      datasets.addDatasetItems({ params, body: { items: items(count) } });
    for (const count of [84, 84, 84, 84, 84, 83]) await add(count);
    const full = errorMatching(409, /^items: the dataset has 49\d{6} bytes, .* may have 50000000$/);
    await expect(add(2)).rejects.toMatchObject(full);
    await add(1);
    const of = { params: { ...params, item_id: item_ids[0] ?? '' } };
    await expect(
      datasets.updateDatasetItem({ ...of, body: items(1)[0] ?? {} }),
    ).rejects.toMatchObject(full);
    await datasets.updateDatasetItem({ ...of, body: { archived: true } });
  });

  test('a dataset has at most 10,000 items', async () => {
    const { params } = await makeDataset(api);
    const body = { items: Array.from({ length: 1000 }, () => ({ input: {} })) };
    for (let at = 0; at < 10; at += 1) await datasets.addDatasetItems({ params, body });
    await expect(
      datasets.addDatasetItems({ params, body: { items: [{ input: {} }] } }),
    ).rejects.toMatchObject(errorMatching(409, /^items: the dataset has 10000 items, archived/));
    expect((await pageOf(params)).count).toBe(10_000);
  });

  test('an API key can do the same; a viewer can only read', async () => {
    const { params, item_ids } = await makeDataset(service.one.byKey, [{ input: {} }]);
    expect((await datasets.getDataset({ params })).created_by).toMatch(/^key_/);
    const setRole = (role: 'viewer' | 'owner') =>
      service.storage.db
        .updateTable('users')
        .set({ role })
        .where('email', '=', OWNER.email)
        .execute();
    const statusOf = (response: Promise<unknown>): Promise<number> =>
      response.then(
        () => 200,
        (error: { status: number }) => error.status,
      );
    await setRole('viewer');
    const of = { params: { ...params, item_id: item_ids[0] ?? '' } };
    const statuses = await Promise.all(
      [
        datasets.listDatasets({ query: {} }),
        datasets.getDataset({ params }),
        datasets.getDatasetItem(of),
        datasets.createDataset({ body: { name: 'no' } }),
        datasets.updateDataset({ params, body: {} }),
        datasets.deleteDataset({ params }),
        datasets.addDatasetItems({ params, body: { items: [{ input: {} }] } }),
        datasets.updateDatasetItem({ ...of, body: { archived: true } }),
        api.experiments.startExperiment({ params, body: { name: 'no', content: 'x' } }),
      ].map(statusOf),
    );
    await setRole('owner');
    expect(statuses).toEqual([200, 200, 200, 403, 403, 403, 403, 403, 403]);
  });
});

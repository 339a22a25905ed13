import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants } from '../support/two-tenants.ts';
import { record, gpt4o, type Client, type Call } from '../support/priced-calls.ts';

const find = async (client: Client, model_id: string) =>
  (await client.costs.listModelCosts()).results.find((entry) => entry.model_id === model_id);

describe.each(databases)('what calls cost on %s', (kind) => {
  let database: TestDatabase;
  let service: TestControlPlane;
  beforeAll(async () => {
    database = await newDatabase(kind);
    const file = join(database.dataDir, 'prices.yaml');
    writeFileSync(
      file,
      '- { model_id: ours, input_cost_per_million: 4, output_cost_per_million: 0 }\n' +
        '- { model_id: gpt-4o-mini, provider: azure, input_cost_per_million: 3, output_cost_per_million: 0 }\n',
    );
    service = await startTestControlPlane(kind, {
      DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl ?? '',
      PRICES_FILE: file,
    });
  });
  afterAll(async () => {
    await service.stop();
    await database.remove();
  });

  const million = { tokens_in: 1_000_000, tokens_out: 0 };
  const costsOf = async (runId: number) => {
    const { llm_calls } = await service.byOwner.runs.getRun({ params: { id: String(runId) } });
    return llm_calls.map(({ cost }) => cost);
  };
  const price = (model_id: string, input_cost_per_million: number) =>
    service.byKey.costs.putModelCost({
      params: { model_id },
      body: { input_cost_per_million, output_cost_per_million: 0 },
    });

  async function recomputed(body: object) {
    const started = await service.byKey.costs.startRecomputation({ body });
    expect(started).toMatchObject({ status: 'running', checked: 0 });
    return pollUntil(
      () => service.byKey.costs.findRecomputation(),
      ({ status }) => status !== 'running',
    );
  }

  test('prices from the file are listed, and take precedence over the table', async () => {
    expect(await find(service.byKey, 'ours')).toEqual({
      ...gpt4o,
      model_id: 'ours',
      provider: null,
      input_cost_per_million: 4,
      output_cost_per_million: 0,
      cache_read_cost_per_million: 4,
      cache_write_cost_per_million: 4,
      source: 'file',
    });
    expect(await find(service.byKey, 'azure/gpt-4o-mini')).toMatchObject({
      input_cost_per_million: 3,
      source: 'file',
    });
    expect(await find(service.byKey, 'gpt-4o-mini')).toMatchObject({ source: 'table' });
  });

  test('each call is priced when it is recorded, and later changes do not affect it', async () => {
    const calls: Call[] = [
      { model: 'openai/gpt-4o-2024-11-20', tokens_in: 1000, tokens_out: 500 },
      {
        model: 'claude-sonnet-4-5',
        ...million,
        tokens_in: 100_000,
        cache_read_tokens: 60_000,
        cache_write_tokens: 30_000,
      },
      { model: 'ours', ...million },
      { model: 'gpt-4o-mini', provider: 'azure.ai.openai', ...million },
      { model: 'gpt-4omni', ...million },
      { model: 'gpt-4o', ...million, cost: 0.125 },
    ];
    // In millionths: 10,000 × 3 + 60,000 × 0.3 + 30,000 × 3.75.
    const expected = [0.0075, 0.1605, 4, 3, 0, 0.125];
    const before = await record(service.byKey, calls);
    expect(await costsOf(before)).toEqual(expected);
    await price('gpt-4o', 1);
    await price('ours', 1);
    // With PostgreSQL, recording learns about a change through a notification, even within one
    // process.
    await pollUntil(
      async () => costsOf(await record(service.byKey, calls)),
      (costs) => JSON.stringify(costs) === JSON.stringify([0.001, 0.1605, 1, 3, 0, 0.125]),
    );
    expect(await costsOf(before)).toEqual(expected);
    for (const model_id of ['gpt-4o', 'ours'])
      await service.byKey.costs.deleteModelCost({ params: { model_id } });
  });

  test("the source of a call's price is stored", async () => {
    await price('llama3.3', 0);
    const calls: [Call, cost: number, cost_source: string][] = [
      [{ model: 'gpt-4o', ...million, cost: 0.125 }, 0.125, 'given'],
      // Clients without a price send a cost of 0.
      [{ model: 'gpt-4o', ...million, cost: 0 }, 2.5, 'table'],
      [{ model: 'our-own', ...million, cost: 0 }, 0, 'unpriced'],
      [{ model: 'gpt-4o', tokens_in: 0, tokens_out: 0, cost: 0 }, 0, 'given'],
      [
        { model: 'claude-sonnet-4-5-20990101', tokens_in: 1000, tokens_out: 0 },
        0.003,
        'table_prefix',
      ],
      [{ model: 'gpt-4o-mini-2030-01-01', ...million }, 0.15, 'table_prefix'],
      [{ model: 'ours-large', ...million }, 4, 'file_prefix'],
      [{ model: 'llama3.3:70b-instruct', provider: 'ollama', ...million }, 0, 'override_prefix'],
      [
        {
          model: 'claude-sonnet-4-20250514',
          tokens_in: 300_000,
          cache_read_tokens: 150_000,
          tokens_out: 3000,
        },
        1.0575,
        'table',
      ],
    ];
    const { byOwner, byKey } = service;
    const readCosts = async () => {
      const id = await record(
        byKey,
        calls.map(([call]) => call),
      );
      const { llm_calls } = await byOwner.runs.getRun({ params: { id: String(id) } });
      return llm_calls.map(({ cost, cost_source }) => [cost, cost_source]);
    };
    const expected = calls.map(([, ...rest]) => rest);
    const stored = await pollUntil(readCosts, (found) => String(found) === String(expected));
    expect(stored).toEqual(expected);
    await byKey.costs.deleteModelCost({ params: { model_id: 'llama3.3' } });
  });

  test('costs are recomputed on request, with all totals that contain them', async () => {
    const texts = { prompt_preview: 'What costs it?' };
    const id = await record(
      service.byKey,
      [
        { model: 'late-model', ...million, ...texts },
        { model: 'late-model', ...million, cost: 0.5 },
        { model: 'never-known', ...million },
      ],
      'anew',
    );
    const prompt = await service.byOwner.prompts.createPrompt({
      body: { name: `what-${kind}`, content: 'What costs it?' },
    });
    await price('late-model', 2);
    const body = { model: 'late-model' };
    const dry = await recomputed({ ...body, dry_run: true });
    const done = { checked: 1, changed: 1, cost_before: 0, cost_after: 2, unpriced: [] };
    expect(dry).toMatchObject({ status: 'completed', dry_run: true, ...done });
    expect(await costsOf(id)).toEqual([0, 0.5, 0]);
    expect(await recomputed(body)).toMatchObject({ status: 'completed', dry_run: false, ...done });
    expect(await costsOf(id)).toEqual([2, 0.5, 0]);
    const { byOwner } = service;
    const shown = [
      (await byOwner.runs.getRun({ params: { id: String(id) } })).cost,
      (await byOwner.analytics.getSession({ params: { session_id: 'anew' }, query: {} })).aggregates
        .total_cost,
      (
        await byOwner.analytics.getTrackedUser({ params: { user_id: 'u' }, query: {} })
      ).cost_by_model.find(({ model }) => model === 'late-model')?.total_cost,
      (await byOwner.analytics.getModelAnalytics({ query: {} })).model_totals.find(
        ({ model }) => model === 'late-model',
      )?.total_cost,
      // Calls recorded before their prompt existed are counted in the background.
      await pollUntil(
        async () =>
          (await byOwner.prompts.getPromptMetrics({ params: { prompt_id: prompt.id } })).totals
            .total_cost,
        (cost) => cost > 0,
      ),
    ];
    expect(shown).toEqual([2.5, 2.5, 2.5, 2.5, 2]);
    const given = await recomputed({ ...body, include_given: true });
    expect(given).toMatchObject({ checked: 2, changed: 1, cost_before: 2.5, cost_after: 4 });
    const rest = await recomputed({ unpriced_only: true });
    expect(rest.unpriced).toContainEqual({ model: 'never-known', call_count: 1 });
    expect(rest).toMatchObject({ changed: 0 });
  });

  test.each([
    [{ since: 'yesterday' }, /^since: /],
    [{ model: '' }, /^model: /],
    [{ dry_run: 1 }, /^dry_run: /],
    [{ tenant: 'x' }, /Unrecognized key: "tenant"/],
  ])('a recomputation with %j is rejected', async (body, message) => {
    await expect(
      service.byKey.costs.startRecomputation({ body: body as never }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) as string });
  });

  test('a key without the permission can read prices but not change them', async () => {
    const { key } = await service.byOwner.identity.createApiKey({
      body: { name: 'agent', permissions: ['record'] },
    });
    const { costs } = service.by({ 'X-Svc-Key': key });
    expect((await costs.listModelCosts()).count).toBeGreaterThan(1400);
    const params = { model_id: 'gpt-4o' };
    const body = { input_cost_per_million: 1, output_cost_per_million: 1 };
    for (const call of [
      () => costs.putModelCost({ params, body }),
      () => costs.deleteModelCost({ params }),
      () => costs.startRecomputation({ body: {} }),
      () => costs.findRecomputation(),
    ])
      await expect(call()).rejects.toMatchObject({
        status: 403,
        message: 'this API key lacks the permission "admin"',
      });
  });
});

test('a recomputation can start again after its process has died, and not before', async () => {
  const service = await startTwoTenants('sqlite');
  const { costs } = service.one.byKey;
  await expect(costs.findRecomputation()).rejects.toMatchObject({ status: 404 });
  const { id: tenant_id } = await service.storage.db
    .selectFrom('tenants')
    .select('id')
    .where('id', '!=', 'tnt_other')
    .executeTakeFirstOrThrow();
  const now = Date.UTC(2026, 10, 20);
  service.setTime(now);
  const row = { id: 'rec_dead', status: 'running' as const, dry_run: 0, started_at: now };
  const progress = { checked: 7, changed: 0, cost_before: 0, cost_after: 0, unpriced: [] };
  await service.storage.db
    .insertInto('cost_recomputations')
    .values({ tenant_id, ...row, updated_at: now, progress: JSON.stringify(progress) })
    .execute();
  service.setTime(now + 59_000);
  await expect(costs.startRecomputation({ body: {} })).rejects.toMatchObject({ status: 409 });
  expect(await costs.findRecomputation()).toMatchObject({ status: 'running', checked: 7 });
  service.setTime(now + 61_000);
  expect(await costs.findRecomputation()).toMatchObject({ status: 'interrupted', checked: 7 });
  expect(await costs.startRecomputation({ body: {} })).toMatchObject({ status: 'running' });
  await pollUntil(
    () => costs.findRecomputation(),
    ({ status }) => status === 'completed',
  );
  await expect(service.other.byKey.costs.findRecomputation()).rejects.toMatchObject({
    status: 404,
  });
  await service.stop();
});

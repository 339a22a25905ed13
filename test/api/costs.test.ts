import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { record, gpt4o, type Client } from '../support/priced-calls.ts';

const find = async (client: Client, model_id: string) =>
  (await client.costs.listModelCosts()).results.find((entry) => entry.model_id === model_id);

describe.each(databases)('model costs on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  test('the system table has every model once, sorted', async () => {
    const { results, count } = await service.one.byKey.costs.listModelCosts();
    expect(count).toBe(results.length);
    expect(count).toBeGreaterThan(1400);
    const ids = results.map(({ model_id }) => model_id.toLowerCase());
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(results.find(({ model_id }) => model_id === 'gpt-4o')).toEqual(gpt4o);
  });

  test('an override applies until it is removed', async () => {
    const { costs } = service.one.byKey;
    const at = '2026-11-20T12:00:00.000Z';
    service.setTime(Date.parse(at));
    const params = { model_id: 'gpt-4o' };
    const body = { input_cost_per_million: 2, output_cost_per_million: 8 };
    const entry = {
      ...gpt4o,
      ...body,
      // Omitted rates keep their ratio to the input rate.
      cache_read_cost_per_million: 1,
      cache_write_cost_per_million: 2,
      is_override: true,
      source: 'override',
      updated_at: at,
    };
    expect(await costs.putModelCost({ params, body })).toEqual(entry);
    expect(await find(service.one.byKey, 'gpt-4o')).toEqual(entry);
    const replaced = { ...body, cache_read_cost_per_million: 0.1 };
    expect(await costs.putModelCost({ params: { model_id: 'GPT-4o' }, body: replaced })).toEqual({
      ...entry,
      ...replaced,
      model_id: 'GPT-4o',
    });
    expect(await find(service.one.byKey, 'gpt-4o')).toBeUndefined();
    await costs.deleteModelCost({ params });
    expect(await find(service.one.byKey, 'gpt-4o')).toEqual(gpt4o);
    service.setTime(undefined);
  });

  test.each([
    'openai/gpt-4o',
    'anthropic.claude-3-5-sonnet-20240620-v1:0',
    'arn:aws:bedrock:us-east-1:1:inference-profile/x',
    'our model (v1.5) 100%? #7&+ ü',
    'a/../b',
    'recompute',
  ])('a model may be named %s', async (model_id) => {
    const { costs } = service.one.byKey;
    const body = { input_cost_per_million: 1, output_cost_per_million: 0 };
    expect(await costs.putModelCost({ params: { model_id }, body })).toMatchObject({
      model_id,
      ...body,
      is_override: true,
    });
    expect(await find(service.one.byKey, model_id)).toMatchObject({ is_override: true });
    await costs.deleteModelCost({ params: { model_id } });
    await expect(costs.deleteModelCost({ params: { model_id } })).rejects.toMatchObject({
      status: 404,
      message: `there is no override for ${JSON.stringify(model_id)}`,
    });
  });

  test.each([
    [{ output_cost_per_million: 1 }, /^input_cost_per_million: .*expected number/],
    [{ input_cost_per_million: 1 }, /^output_cost_per_million: .*expected number/],
    [{ input_cost_per_million: '1', output_cost_per_million: 1 }, /^input_cost_per_million: /],
    [{ input_cost_per_million: -1, output_cost_per_million: 1 }, /^input_cost_per_million: /],
    [{ input_cost_per_million: 1, output_cost_per_million: 1e12 }, /^output_cost_per_million: /],
    [{ input_cost_per_million: null, output_cost_per_million: 1 }, /^input_cost_per_million: /],
    [
      { input_cost_per_million: 1, output_cost_per_million: 1, cost: 1 },
      /^body: Unrecognized key: "cost"/,
    ],
    [[], /^body: /],
  ])('a price of %j is rejected', async (body, message) => {
    const params = { model_id: 'gpt-4o' };
    await expect(
      service.one.byKey.costs.putModelCost({ params, body: body as never }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) as string });
  });

  test('an id that is too long is rejected', async () => {
    const params = { model_id: 'm'.repeat(201) };
    const body = { input_cost_per_million: 1, output_cost_per_million: 1 };
    await expect(service.one.byKey.costs.putModelCost({ params, body })).rejects.toMatchObject({
      status: 400,
      message: 'model_id: expected 1 to 200 characters',
    });
  });

  test('an override applies only to its tenant', async () => {
    const params = { model_id: 'claude-haiku-4-5' };
    const body = { input_cost_per_million: 7, output_cost_per_million: 7 };
    await service.one.byKey.costs.putModelCost({ params, body });
    expect(await find(service.other.byKey, params.model_id)).toMatchObject({
      input_cost_per_million: 1,
      is_override: false,
    });
    await expect(service.other.byKey.costs.deleteModelCost({ params })).rejects.toMatchObject({
      status: 404,
    });
    expect(await find(service.one.byKey, params.model_id)).toMatchObject({ is_override: true });
  });

  test('a row of the table shows the price that applies to it', async () => {
    const { costs } = service.one.byKey;
    const params = { model_id: 'llama-3.3-70b-versatile' };
    const body = { input_cost_per_million: 9, output_cost_per_million: 9 };
    await costs.putModelCost({ params: { model_id: 'groq/llama-3.3-70b-versatile' }, body });
    expect(await find(service.one.byKey, params.model_id)).toMatchObject({
      ...body,
      source: 'override',
      is_override: false,
    });
  });

  test('models without a price are counted', async () => {
    const calls = [
      { model: 'own-7b', provider: 'vllm', tokens_in: 10, tokens_out: 5 },
      { model: 'own-7b', provider: 'vllm', tokens_in: 20, tokens_out: 5 },
      { model: 'own-7b', tokens_in: 1, tokens_out: 1 },
      { model: 'gpt-99', tokens_in: 100, tokens_out: 0 },
      { model: 'gpt-99', tokens_in: 100, tokens_out: 0, cost: 1 },
      { model: 'gpt-4o', tokens_in: 100, tokens_out: 0 },
    ];
    await record(service.other.byKey, calls);
    expect(await service.other.byOwner.costs.listUnpriced()).toEqual({
      results: [
        { model: 'own-7b', provider: 'vllm', call_count: 2, total_tokens: 40 },
        { model: 'gpt-99', provider: null, call_count: 1, total_tokens: 100 },
        { model: 'own-7b', provider: null, call_count: 1, total_tokens: 2 },
      ],
      count: 3,
    });
    expect(await service.one.byOwner.costs.listUnpriced()).toEqual({ results: [], count: 0 });
  });
});

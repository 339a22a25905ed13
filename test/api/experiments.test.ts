import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { makeDataset, runExperimentOn, setUpExperiments } from '../support/datasets.ts';
import { expectedResponse } from '../support/model-provider.ts';
import { errorMatching } from '../support/playground.ts';

interface Message {
  content: unknown;
}

const MODEL = 'gpt-4o-mini';
const config = { model: MODEL };
const CAPITALS = [
  { input: { country: 'France' }, expected_output: 'Paris' },
  { input: { country: 'Italy' }, expected_output: 'Rome' },
  { input: { country: 'Spain' } },
];

describe.each(databases)('experiments on %s', (kind) => {
  const world = setUpExperiments(kind);

  const sentPrompts = (): string[] =>
    world.models.requests.map(({ messages }) => String((messages as Message[]).at(-1)?.content));

  test('a prompt runs over every item, with outputs, tokens, costs and scores', async () => {
    const { params, item_ids } = await makeDataset(world.api, CAPITALS);
    const { experiment, results } = await runExperimentOn(world.api, params, {
      content: 'The capital of {{country}}?',
      config,
      evaluators: [
        { type: 'contains', name: 'says Italy', text: 'italy', ignore_case: true },
        { type: 'exact_match', name: 'exact' },
      ],
    });
    const output = (country: string) => expectedResponse(MODEL, [`The capital of ${country}?`]);
    expect(results.map(({ item_id }) => item_id)).toEqual(item_ids);
    expect(results[1]).toEqual({
      item_id: item_ids[1],
      position: 2,
      status: 'completed',
      input_preview: 'country: Italy',
      expected_preview: 'Rome',
      output_preview: output('Italy'),
      latency_ms: expect.any(Number) as number,
      tokens_in: 4,
      tokens_out: 6,
      cost: expect.closeTo((2 * 0.15 + 2 * 0.075 + 6 * 0.6) / 1e6, 12) as number,
      evaluation_cost: 0,
      error: null,
      scores: [
        { name: 'exact', value: 0, passed: false, reason: null, error: null },
        { name: 'says Italy', value: 1, passed: true, reason: null, error: null },
      ],
      completed_at: expect.any(String) as string,
    });
    expect(results[2]?.scores[0]).toEqual({
      name: 'exact',
      value: null,
      passed: null,
      reason: null,
      error: 'the item has no expected output',
    });
    expect(experiment).toMatchObject({
      status: 'completed',
      model: MODEL,
      item_count: 3,
      completed_count: 3,
      failed_count: 0,
      tokens_in: 12,
      tokens_out: 18,
      prompt_id: null,
      content: 'The capital of {{country}}?',
      config: { model: MODEL, temperature: 0.7 },
      scores: [
        { name: 'says Italy', count: 3, avg: expect.closeTo(1 / 3, 10) as number, error_count: 0 },
        { name: 'exact', count: 2, avg: 0, error_count: 1 },
      ],
    });
    expect(experiment.avg_latency_ms).toBeGreaterThanOrEqual(0);
    const of = { ...params, experiment_id: experiment.id, item_id: item_ids[0] ?? '' };
    expect(await world.api.experiments.getExperimentResult({ params: of })).toMatchObject({
      input: { country: 'France' },
      expected_output: 'Paris',
      output: output('France'),
      tool_calls: [],
      missing_variables: [],
      ignored_settings: [],
    });
  });

  test('a prompt version runs with its config, and members in the request take precedence', async () => {
    const { params } = await makeDataset(world.api, CAPITALS.slice(0, 1));
    const { id: prompt_id, name } = await world.api.prompts.createPrompt({
      body: {
        name: 'capital',
        content: 'In {{country}}',
        config: { model: 'down', max_tokens: 7 },
      },
    });
    const prompt = { prompt_id, prompt_version: 1 };
    const { experiment } = await runExperimentOn(world.api, params, { ...prompt, config });
    expect(experiment).toMatchObject({
      ...prompt,
      prompt_name: name,
      content: 'In {{country}}',
      completed_count: 1,
      config: { model: MODEL, max_tokens: 7 },
    });
    expect(world.models.requests).toMatchObject([{ model: MODEL, max_tokens: 7 }]);
  });

  test('the messages of an item are sent after the prompt, or alone', async () => {
    const input = [
      { role: 'user' as const, content: 'Hello {{name}}' },
      { role: 'assistant' as const, content: 'Hello' },
      { role: 'user' as const, content: 'Bye' },
    ];
    const { params } = await makeDataset(world.api, [{ input }]);
    await runExperimentOn(world.api, params, { config });
    const { results } = await runExperimentOn(world.api, params, { config, content: 'Be kind.' });
    expect(world.models.requests.map(({ messages }) => messages)).toEqual([
      input,
      [{ role: 'system', content: 'Be kind.' }, ...input],
    ]);
    expect(results[0]?.output_preview).toContain('Be kind. | Hello {{name}}');
  });

  test('an archived item is not run; a changed item is unchanged in earlier experiments', async () => {
    const { params, item_ids } = await makeDataset(world.api, CAPITALS);
    const change = (at: number, body: object) =>
      world.api.datasets.updateDatasetItem({
        params: { ...params, item_id: item_ids[at] ?? '' },
        body,
      });
    await change(2, { archived: true });
    const first = await runExperimentOn(world.api, params, { content: '{{country}}', config });
    await change(0, { input: { country: 'Chad' } });
    expect(first.experiment.item_count).toBe(2);
    const of = { ...params, experiment_id: first.id, item_id: item_ids[0] ?? '' };
    const { input } = await world.api.experiments.getExperimentResult({ params: of });
    expect(input).toEqual({ country: 'France' });
    expect(sentPrompts().toSorted()).toEqual(['France', 'Italy']);
  });

  test('a failing provider makes items fail, and the experiment continues to the end', async () => {
    const { params } = await makeDataset(world.api, CAPITALS);
    const { experiment, results } = await runExperimentOn(world.api, params, {
      content: '{{country}}',
      config: { model: 'down' },
      evaluators: [{ type: 'exact_match', name: 'exact' }],
    });
    expect(experiment).toMatchObject({
      status: 'completed',
      completed_count: 0,
      failed_count: 3,
      avg_latency_ms: null,
      scores: [{ name: 'exact', count: 0, avg: null, error_count: 0 }],
    });
    for (const { status, error, scores } of results)
      expect([status, error, scores]).toEqual([
        'failed',
        'the model provider failed (503): The server is overloaded, …',
        [],
      ]);
  });

  test('an item that cannot be sent fails without affecting others', async () => {
    const { params } = await makeDataset(world.api, [
      { input: { a: 'x' } },
      { input: [{ role: 'user', content: 'Hi' }] },
      { input: { a: 'y'.repeat(90_000) } },
    ]);
    const none = await runExperimentOn(world.api, params, { config });
    expect(none.results.map(({ status }) => status)).toEqual(['failed', 'completed', 'failed']);
    expect(none.results[0]?.error).toMatch(/has variables, and the experiment has no prompt/);
    const long = await runExperimentOn(world.api, params, { config, content: '{{a}}'.repeat(30) });
    expect(long.results.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
    expect(long.results[2]?.error).toMatch(/^content: 2700000 characters/);
  });

  test('a model judges outputs, and its response is parsed strictly', async () => {
    const { params } = await makeDataset(world.api, CAPITALS);
    const judge = { type: 'llm_judge' as const, model: 'echo' };
    const { experiment, results } = await runExperimentOn(world.api, params, {
      content: '{{country}}',
      config: { model: 'echo' },
      evaluators: [
        { ...judge, name: 'rated', prompt: '{"score":0.5,"reason":"{{output}} {{expected}}"}' },
        {
          ...judge,
          name: 'passes',
          scale: 'pass_fail',
          prompt: '{"result":"pass","reason":"{{output}}"}',
        },
        { ...judge, name: 'babbles', prompt: 'I say 1.0 {{output}}' },
        { ...judge, name: 'is down', model: 'down', prompt: '{{output}}' },
      ],
    });
    const error = (text: RegExp) =>
      expect.objectContaining({ value: null, error: expect.stringMatching(text) as string });
    const marked = (text: string) => `<data-([0-9a-f]{16})>${text}</data-\\1>`;
    const reason = (...texts: string[]) =>
      expect.stringMatching(new RegExp(`^${texts.map(marked).join(' ')}$`)) as string;
    expect(results.map(({ scores }) => scores[3])).toEqual([
      { name: 'rated', value: 0.5, passed: null, reason: reason('France', 'Paris'), error: null },
      { name: 'rated', value: 0.5, passed: null, reason: reason('Italy', 'Rome'), error: null },
      error(/^the item has no expected output/),
    ]);
    const markers = results.map(({ scores }) => /<data-\w+>/.exec(scores[2]?.reason ?? '')?.[0]);
    expect(new Set(markers).size).toBe(3);
    expect(results[0]?.scores.slice(0, 3)).toEqual([
      error(/^the judgement is not JSON: I say 1.0 /),
      error(/^the model provider failed \(503\)/),
      { name: 'passes', value: 1, passed: true, reason: reason('France'), error: null },
    ]);
    expect(experiment).toMatchObject({
      completed_count: 3,
      scores: [
        { name: 'rated', count: 2, avg: 0.5, error_count: 1 },
        { name: 'passes', count: 3, avg: 1, error_count: 0 },
        { name: 'babbles', count: 0, avg: null, error_count: 3 },
        { name: 'is down', count: 0, avg: null, error_count: 3 },
      ],
    });
  });

  test('outputs are validated against a JSON Schema', async () => {
    const { params } = await makeDataset(world.api, [
      { input: { answer: '{"city":"Paris"}' } },
      { input: { answer: '{"city":1}' } },
      { input: { answer: 'Paris' } },
    ]);
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const { results } = await runExperimentOn(world.api, params, {
      content: '{{answer}}',
      config: { model: 'echo' },
      evaluators: [{ type: 'json_schema', name: 's', schema }],
    });
    expect(results.map(({ scores }) => [scores[0]?.value, scores[0]?.reason])).toEqual([
      [1, null],
      [0, '/city: expected the type string'],
      [0, 'the output is not JSON'],
    ]);
  });

  test('experiments and results are paged, and results can be filtered', async () => {
    const { params } = await makeDataset(world.api, CAPITALS);
    const first = await runExperimentOn(world.api, params, {
      name: 'first',
      content: '{{country}}',
      config,
    });
    await runExperimentOn(world.api, params, { name: 'second', content: '{{country}}', config });
    const page = await world.api.experiments.listExperiments({ params, query: { limit: 1 } });
    expect([page.results.map(({ name }) => name), page.count]).toEqual([['second'], 2]);
    const names = await world.api.experiments.listExperimentNames({ params, query: { offset: 1 } });
    expect([names.results, names.count]).toEqual([[{ id: first.id, name: 'first' }], 2]);
    const failed = await world.api.experiments.listExperimentResults({
      ...first.experimentRequest,
      query: { status: 'failed' },
    });
    expect([failed.results, failed.count]).toEqual([[], 0]);
  });

  test('two experiments are compared item by item', async () => {
    const { params, item_ids } = await makeDataset(world.api, CAPITALS.slice(0, 2));
    const evaluators = [{ type: 'contains' as const, name: 'c', text: 'France' }];
    const a = await runExperimentOn(world.api, params, {
      content: '{{country}}',
      config,
      evaluators,
    });
    await world.api.datasets.updateDatasetItem({
      params: { ...params, item_id: item_ids[1] ?? '' },
      body: { expected_output: 'Roma' },
    });
    await world.api.datasets.addDatasetItems({
      params,
      body: { items: [{ input: { country: 'Peru' } }] },
    });
    const b = await runExperimentOn(world.api, params, {
      content: 'x {{country}}',
      config,
      evaluators,
    });
    const compared = await world.api.experiments.compareExperiments({
      ...a.experimentRequest,
      query: { other: b.id },
    });
    expect(compared.count).toBe(3);
    expect(compared.results).toEqual([
      { item_id: item_ids[0], position: 1, differs: false, a: a.results[0], b: b.results[0] },
      { item_id: item_ids[1], position: 2, differs: true, a: a.results[1], b: b.results[1] },
      expect.objectContaining({ position: 3, differs: false, a: null, b: b.results[2] }),
    ]);
    await expect(
      world.api.experiments.compareExperiments({
        ...a.experimentRequest,
        query: { other: 'exp_none' },
      }),
    ).rejects.toMatchObject(errorMatching(404, /^the dataset has no experiment exp_none$/));
  });
});

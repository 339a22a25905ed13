import { describe, expect, test } from 'vitest';
import { startTestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { makeDataset, setUpExperiments, startExperimentOn } from '../support/datasets.ts';
import { errorMatching } from '../support/playground.ts';

const CAPITALS = [{ input: { country: 'France' }, expected_output: 'Paris' }];

describe.each(databases)('rejected requests for experiments on %s', (kind) => {
  const world = setUpExperiments(kind);

  test.each<[string, object, number, RegExp]>([
    [
      'a prompt without a version',
      { prompt_id: 'prm_1' },
      400,
      /^prompt_id: expected `prompt_id` with/,
    ],
    [
      'a prompt and a content',
      { prompt_id: 'p', prompt_version: 1, content: 'x' },
      400,
      /^prompt_id/,
    ],
    [
      'a prompt that is not there',
      { prompt_id: 'p', prompt_version: 1 },
      404,
      /^there is no prompt p$/,
    ],
    [
      'a config that is wrong',
      { content: 'x', config: { temperature: 9 } },
      400,
      /^config.*temperature/,
    ],
    [
      'a pattern that is none',
      { content: 'x', evaluators: [{ type: 'regex', name: 'r', pattern: '(' }] },
      400,
      /^evaluators: the pattern of "r" missing closing/,
    ],
    [
      'a schema that refers to another document',
      {
        content: 'x',
        evaluators: [{ type: 'json_schema', name: 's', schema: { $ref: 'https://example.test/' } }],
      },
      400,
      /^evaluators: the schema of "s": \/\$ref: expected a reference that begins with #/,
    ],
    [
      'a schema that is too large',
      {
        content: 'x',
        evaluators: [{ type: 'json_schema', name: 's', schema: { const: 'x'.repeat(50_000) } }],
      },
      400,
      /^evaluators.*at most 50000 characters/,
    ],
    [
      'a blank text to contain',
      { content: 'x', evaluators: [{ type: 'contains', name: 'c', text: ' ' }] },
      400,
      /^evaluators.*expected a text that is not blank/,
    ],
    [
      'a judge that does not see the output',
      {
        content: 'x',
        evaluators: [{ type: 'llm_judge', name: 'j', model: 'm', prompt: 'Is it good?' }],
      },
      400,
      /^evaluators: the prompt of "j" does not contain \{\{output\}\}/,
    ],
    [
      'two evaluators of one name',
      {
        content: 'x',
        evaluators: [
          { type: 'json_equal', name: 'r' },
          { type: 'exact_match', name: 'r' },
        ],
      },
      400,
      /different name/,
    ],
    ['an unknown evaluator', { evaluators: [{ type: 'vibes', name: 'v' }] }, 400, /^evaluators/],
  ])('an experiment is rejected: %s', async (_what, body, status, message) => {
    const { params } = await makeDataset(world.api, CAPITALS);
    await expect(startExperimentOn(world.api, params, body)).rejects.toMatchObject(
      errorMatching(status, message),
    );
  });

  test('an experiment on a dataset without items is rejected', async () => {
    const { params } = await makeDataset(world.api);
    await expect(startExperimentOn(world.api, params, { content: 'x' })).rejects.toMatchObject(
      errorMatching(409, /^the dataset has no items to run$/),
    );
    expect((await world.api.datasets.getDataset({ params })).experiment_count).toBe(0);
  });

  test('at most five experiments of a tenant run at the same time', async () => {
    const { params } = await makeDataset(world.api, CAPITALS);
    const body = { content: '{{country}}', config: { model: 'held' } };
    const started = [];
    for (let at = 0; at < 5; at += 1)
      started.push(await startExperimentOn(world.api, params, body));
    await expect(startExperimentOn(world.api, params, body)).rejects.toMatchObject(
      errorMatching(
        409,
        /^5 experiments are running or being started: wait until one is completed, or cancel one$/,
      ),
    );
    for (const { experimentRequest } of started)
      await world.api.experiments.cancelExperiment(experimentRequest);
  });

  test('at most five experiments start with concurrent requests', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => makeDataset(world.api, CAPITALS)),
    );
    const body = { content: '{{country}}', config: { model: 'held' } };
    const tried = await Promise.allSettled(
      made.map(({ params }) => startExperimentOn(world.api, params, body)),
    );
    const started = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(started).toHaveLength(5);
    for (const { experimentRequest } of started)
      await world.api.experiments.cancelExperiment(experimentRequest);
  });
});

test.each(databases)('without a provider, no experiment starts on %s', async (kind) => {
  const service = await startTestControlPlane(kind);
  const { params } = await makeDataset(service.byOwner, CAPITALS);
  await expect(startExperimentOn(service.byOwner, params, { content: 'x' })).rejects.toMatchObject(
    errorMatching(400, /^no model provider is configured/),
  );
  await service.stop();
});

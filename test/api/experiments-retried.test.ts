import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { makeDataset, runExperimentOn, startExperimentOn } from '../support/datasets.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { errorMatching, settings } from '../support/playground.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const CAPITALS = [
  { input: { country: 'France' } },
  { input: { country: 'Italy' } },
  { input: { country: 'Spain' } },
];
const prompt = { content: '{{country}}' };

describe.each(databases)('retrying failed parts of an experiment on %s', (kind) => {
  let models: ModelProvider;
  let service: TwoTenants;
  let api: TwoTenants['one']['byOwner'];
  beforeAll(async () => {
    models = await startModelProvider();
    service = await startTwoTenants(kind, settings(models, 'openai'));
    api = service.one.byOwner;
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });
  afterEach(() => {
    models.requests.length = 0;
    models.pausedRequests.length = 0;
  });

  /** The last messages sent to the models, in any order. */
  const sentPrompts = (): string[] =>
    models.requests.map(({ messages }) =>
      String((messages as { content: unknown }[]).at(-1)?.content),
    );

  const leaseOf = async (id: string) => {
    const { lease_until } = await service.storage.db
      .selectFrom('experiments')
      .select('lease_until')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return lease_until;
  };
  /** Waits until the process has released the experiment. */
  const released = (id: string) =>
    pollUntil(
      () => leaseOf(id),
      (until) => until === 0,
    );

  test('only failed items are sent, and costs add up', async () => {
    const { params, item_ids } = await makeDataset(api, CAPITALS);
    // The model rejects each item once; the second item already has a result.
    const { experimentRequest, waitUntilEnded, experiment } = await runExperimentOn(api, params, {
      ...prompt,
      config: { model: 'flaky' },
      evaluators: [{ type: 'contains', name: 'c', text: 'Italy' }],
    });
    expect(experiment).toMatchObject({ status: 'completed', failed_count: 3, completed_count: 0 });
    await service.storage.db
      .updateTable('experiment_results')
      .set({ status: 'completed', output: 'kept', error: null })
      .where('item_id', '=', item_ids[1] ?? '')
      .execute();
    await service.storage.db
      .updateTable('experiment_results')
      .set({ cost: 0.5, tokens_in: 100 })
      .where('item_id', '=', item_ids[0] ?? '')
      .execute();
    models.requests.length = 3;
    const retried = await api.experiments.retryExperiment(experimentRequest);
    expect(retried).toMatchObject({ status: 'running', completed_at: null });
    expect(await waitUntilEnded()).toMatchObject({
      status: 'completed',
      completed_count: 3,
      failed_count: 0,
      cost: 0.5,
    });
    expect(sentPrompts().slice(3).toSorted()).toEqual(['France', 'Spain']);
    const { results } = await api.experiments.listExperimentResults({
      ...experimentRequest,
      query: {},
    });
    expect(results.map(({ output_preview, error }) => [output_preview, error])).toEqual([
      ['France', null],
      ['', null],
      ['Spain', null],
    ]);
    expect(results[0]).toMatchObject({ cost: 0.5, scores: [{ name: 'c', value: 0 }] });
    expect(results[0]?.tokens_in).toBeGreaterThan(100);
    const { entries } = await api.audit.listAuditEntries({ query: { limit: 1 } });
    expect(entries[0]).toMatchObject({
      action: 'experiment.retry',
      resource_id: experimentRequest.params.experiment_id,
      metadata: { name: 'e' },
    });
  });

  test('an item that fails again has the newer error, and can be retried once more', async () => {
    const { params } = await makeDataset(api, CAPITALS.slice(0, 1));
    const { experimentRequest, waitUntilEnded } = await runExperimentOn(api, params, {
      ...prompt,
      config: { model: 'down' },
    });
    for (const requests of [2, 3]) {
      await api.experiments.retryExperiment(experimentRequest);
      expect(await waitUntilEnded()).toMatchObject({ status: 'completed', failed_count: 1 });
      expect(models.requests).toHaveLength(requests);
    }
  });

  test('items that a cancelled experiment did not reach are run', async () => {
    const { params } = await makeDataset(api, CAPITALS);
    const { experimentRequest, waitUntilEnded } = await startExperimentOn(api, params, {
      ...prompt,
      config: { model: 'held' },
      concurrency: 1,
    });
    const held = () =>
      pollUntil(
        () => models.pausedRequests.length,
        (count) => count === 1,
      );
    await held();
    models.pausedRequests.pop()?.();
    await held();
    await api.experiments.cancelExperiment(experimentRequest);
    models.pausedRequests.length = 0;
    await released(experimentRequest.params.experiment_id);
    await api.experiments.retryExperiment(experimentRequest);
    for (let left = 2; left > 0; left -= 1) {
      await held();
      models.pausedRequests.pop()?.();
    }
    expect(await waitUntilEnded()).toMatchObject({ status: 'completed', completed_count: 3 });
    expect(sentPrompts()).toEqual(['France', 'Italy', 'Italy', 'Spain']);
  });

  test('an experiment is not retried while a process is finishing it, unless the process has died', async () => {
    const { params } = await makeDataset(api, CAPITALS.slice(0, 1));
    const { id, experimentRequest, waitUntilEnded } = await runExperimentOn(api, params, {
      ...prompt,
      config: { model: 'flaky' },
    });
    // The process that completed the experiment has released it.
    expect(await leaseOf(id)).toBe(0);
    const now = Date.now();
    service.setTime(now);
    await service.storage.db
      .updateTable('experiments')
      .set({ lease_until: now + 15_000 })
      .where('id', '=', id)
      .execute();
    await expect(api.experiments.retryExperiment(experimentRequest)).rejects.toMatchObject(
      errorMatching(409, /^the experiment is still ending: try again in some seconds$/),
    );
    service.setTime(now + 20_000);
    await api.experiments.retryExperiment(experimentRequest);
    expect(await waitUntilEnded()).toMatchObject({ status: 'completed', completed_count: 1 });
    service.setTime(undefined);
  });

  test('a failed judge evaluates the same output again, and nothing else is sent', async () => {
    const { params } = await makeDataset(api, CAPITALS.slice(0, 2));
    const judge = { type: 'llm_judge' as const, prompt: '{"score":0.5,"reason":"{{output}}"}' };
    const { experimentRequest, waitUntilEnded, experiment } = await runExperimentOn(api, params, {
      ...prompt,
      config: { model: 'gpt-4o-mini' },
      evaluators: [
        { ...judge, name: 'flaky', model: 'flaky' },
        { ...judge, name: 'steady', model: 'echo' },
        // This judge costs money each time and never returns a score.
        { ...judge, name: 'babbles', model: 'gpt-4o-mini' },
      ],
    });
    const errors = (scores: { name: string; error_count: number }[]) =>
      Object.fromEntries(scores.map(({ name, error_count }) => [name, error_count]));
    expect(errors(experiment.scores)).toEqual({ flaky: 2, steady: 0, babbles: 2 });
    const before = models.requests.length;
    await api.experiments.retryExperiment(experimentRequest);
    const again = await waitUntilEnded();
    expect(errors(again.scores)).toEqual({ flaky: 0, steady: 0, babbles: 2 });
    expect(again.scores[0]).toMatchObject({ name: 'flaky', count: 2, avg: 0.5 });
    expect(models.requests.length - before).toBe(4);
    expect([again.cost, again.tokens_out]).toEqual([experiment.cost, experiment.tokens_out]);
    expect(again.evaluation_cost).toBeCloseTo(2 * experiment.evaluation_cost, 10);
  });

  test('an experiment that is running, or in which nothing failed, cannot be retried', async () => {
    const { params } = await makeDataset(api, CAPITALS.slice(0, 1));
    const done = await runExperimentOn(api, params, {
      ...prompt,
      config: { model: 'echo' },
      evaluators: [{ type: 'exact_match', name: 'without an expected output' }],
    });
    await expect(api.experiments.retryExperiment(done.experimentRequest)).rejects.toMatchObject(
      errorMatching(409, /^no item and no judge of the experiment has failed$/),
    );
    expect(await done.get()).toMatchObject({ status: 'completed' });
    const running = await startExperimentOn(api, params, { ...prompt, config: { model: 'held' } });
    await expect(api.experiments.retryExperiment(running.experimentRequest)).rejects.toMatchObject(
      errorMatching(409, /^the experiment is running: wait until it has ended$/),
    );
    await api.experiments.cancelExperiment(running.experimentRequest);
  });

  test('a retried experiment counts as running', async () => {
    const { params } = await makeDataset(api, CAPITALS.slice(0, 1));
    const failed = await runExperimentOn(api, params, { ...prompt, config: { model: 'down' } });
    const started = [];
    for (let at = 0; at < 5; at += 1)
      started.push(await startExperimentOn(api, params, { ...prompt, config: { model: 'held' } }));
    await expect(api.experiments.retryExperiment(failed.experimentRequest)).rejects.toMatchObject(
      errorMatching(409, /^5 experiments are running/),
    );
    for (const { experimentRequest } of started)
      await api.experiments.cancelExperiment(experimentRequest);
  });
});

import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import {
  makeDataset,
  runExperimentOn,
  setUpExperiments,
  startExperimentOn,
} from '../support/datasets.ts';
import { errorMatching } from '../support/playground.ts';
import { pollUntil } from '../support/processes.ts';

const config = { model: 'gpt-4o-mini' };
const CAPITALS = [
  { input: { country: 'France' } },
  { input: { country: 'Italy' } },
  { input: { country: 'Spain' } },
];

describe.each(databases)('a running experiment on %s', (kind) => {
  const world = setUpExperiments(kind);

  test('does not exceed its concurrency', async () => {
    const items = Array.from({ length: 5 }, (_, n) => ({ input: { n } }));
    const { params } = await makeDataset(world.api, items);
    const started = await startExperimentOn(world.api, params, {
      content: 'number {{n}}',
      config: { model: 'held' },
      concurrency: 2,
    });
    for (const count of [2, 4, 5]) {
      await pollUntil(
        () => world.models.requests.length,
        (sent) => sent >= count,
      );
      expect(world.models.requests).toHaveLength(count);
      const { completed_count } = await started.get();
      expect(completed_count).toBeLessThanOrEqual(count);
      for (const answer of world.models.pausedRequests.splice(0)) answer();
      await pollUntil(started.get, ({ completed_count }) => completed_count === count);
    }
    expect((await started.waitUntilEnded()).completed_count).toBe(5);
  });

  test('ends at once when cancelled and runs no more items', async () => {
    const items = Array.from({ length: 5 }, (_, n) => ({ input: { n } }));
    const { params } = await makeDataset(world.api, items);
    const started = await startExperimentOn(world.api, params, {
      content: '{{n}}',
      config: { model: 'held' },
      concurrency: 2,
    });
    await world.waitForPaused(2);
    world.models.abortedRequests = 0;
    const cancelled = await world.api.experiments.cancelExperiment(started.experimentRequest);
    expect(cancelled).toMatchObject({ status: 'cancelled', completed_count: 0, failed_count: 0 });
    await world.waitForAborted(2);
    expect(world.models.requests).toHaveLength(2);
    expect((await started.results()).map(({ status }) => status)).toEqual(
      Array<string>(5).fill('pending'),
    );
    await expect(
      world.api.experiments.cancelExperiment(started.experimentRequest),
    ).rejects.toMatchObject(errorMatching(409, /^the experiment is not running any more$/));
  });

  test('keeps a received output when it is cancelled', async () => {
    const { params } = await makeDataset(world.api, CAPITALS.slice(0, 1));
    const started = await startExperimentOn(world.api, params, {
      content: '{{country}}',
      config,
      evaluators: [{ type: 'llm_judge', name: 'judge', model: 'held', prompt: '{{output}}' }],
    });
    await world.waitForPaused(1);
    await world.api.experiments.cancelExperiment(started.experimentRequest);
    const kept = await pollUntil(started.get, ({ completed_count }) => completed_count === 1);
    expect(kept.status).toBe('cancelled');
    expect(kept.cost).toBeGreaterThan(0);
    expect((await started.results())[0]?.scores[0]?.error).toMatch(/^interrupted: /);
  });

  test('stops when it is deleted', async () => {
    const { params } = await makeDataset(world.api, CAPITALS);
    const started = await startExperimentOn(world.api, params, {
      content: '{{country}}',
      config: { model: 'held' },
      concurrency: 1,
    });
    await world.waitForPaused(1);
    world.models.abortedRequests = 0;
    await world.api.experiments.deleteExperiment(started.experimentRequest);
    await world.waitForAborted(1);
    await expect(started.get()).rejects.toMatchObject({ status: 404 });
    expect((await world.api.datasets.getDataset({ params })).experiment_count).toBe(0);
  });

  test('is deleted with its dataset', async () => {
    const { params } = await makeDataset(world.api, CAPITALS);
    const { experimentRequest } = await runExperimentOn(world.api, params, {
      content: '{{country}}',
      config,
    });
    const held = await startExperimentOn(world.api, params, {
      name: 'second',
      content: '{{country}}',
      config: { model: 'held' },
      concurrency: 1,
    });
    await world.waitForPaused(1);
    world.models.abortedRequests = 0;
    await world.api.datasets.deleteDataset({ params });
    await expect(world.api.experiments.getExperiment(experimentRequest)).rejects.toMatchObject({
      status: 404,
    });
    await world.waitForAborted(1);
    const { entries } = await world.api.audit.listAuditEntries({ query: { limit: 3 } });
    expect(entries.map(({ action }) => action)).toEqual([
      'dataset.delete',
      'experiment.delete',
      'experiment.delete',
    ]);
    expect(entries.slice(1).map(({ resource_id }) => resource_id)).toEqual(
      expect.arrayContaining([experimentRequest.params.experiment_id, held.id]),
    );
  });
});

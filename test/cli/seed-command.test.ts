import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runExperiments } from '#dev/seed/fill-datasets.ts';
import type { SeededClient } from '#dev/seed/record-month.ts';
import {
  API_KEY,
  OWNER,
  startTestControlPlane,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { settings } from '../support/playground.ts';
import { root } from '../support/processes.ts';

const execute = promisify(execFile);

let models: ModelProvider;
let service: TestControlPlane;
beforeAll(async () => {
  models = await startModelProvider();
  service = await startTestControlPlane('sqlite', settings(models, 'openai'));
});
afterAll(async () => {
  await service.stop();
  await models.stop();
});

const seed = (key = API_KEY, url = service.urls.public) =>
  execute(process.execPath, ['dev/seed/command.ts', url], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      SVC_API_KEY: key,
      SVC_EMAIL: OWNER.email,
      SVC_PASSWORD: OWNER.password,
      SVC_MODEL: 'echo',
    },
  });

test('seed fills an installation once and prints what it adds', async () => {
  const { stdout } = await seed();
  expect(stdout).toMatch(/^seed: \d+ runs of 4 agents/m);
  expect(stdout).toContain('seed: 3 prompts');
  expect(stdout).toContain('seed: an annotation queue with 20 runs, of which 9 are reviewed');
  expect(stdout).toContain('seed: a dataset with 8 items\n');
  expect(stdout).toMatch(/^seed: 2 experiments with echo\n$/m);
  const { figures } = await service.byOwner.overview.getActivity({ query: { period: '30d' } });
  expect(figures.runs).toBeGreaterThan(100);
  expect(figures.errors).toBeGreaterThan(5);
  expect(figures.cost).toBeGreaterThan(0);
  const { devices, incidents, approvals } = await service.byOwner.overview.getActivity({
    query: {},
  });
  expect(devices).toEqual({ active: 4, with_problems: 1 });
  expect(incidents.open).toBeGreaterThan(0);
  expect(approvals.pending).toBe(1);

  const { annotationQueues, datasets, experiments } = service.byOwner;
  const queues = await annotationQueues.listAnnotationQueues({ query: {} });
  expect(queues.results[0]?.progress).toEqual({ pending: 11, completed: 8, skipped: 1 });
  const [dataset] = (await datasets.listDatasets({ query: {} })).results;
  const params = { dataset_id: dataset?.id ?? '' };
  const { results } = await experiments.listExperiments({ params, query: {} });
  expect(results).toMatchObject(
    ['One sentence', 'One word'].map((name) => ({ name, status: 'completed', completed_count: 8 })),
  );
  // The model repeats the facts, some of which contain the answer.
  expect(results[0]?.scores[0]).toMatchObject({ name: 'has the answer', count: 8, error_count: 0 });
  expect(results[0]?.scores[0]?.avg).toBeGreaterThan(0);

  expect((await seed()).stdout).toBe('seed: the sample data is there already: nothing was added\n');
  const again = await service.byOwner.overview.getActivity({ query: { period: '30d' } });
  expect(again.figures.runs).toBe(figures.runs);
});

test('without a model provider everything except experiments is added, and only once', async () => {
  const bare = await startTestControlPlane('sqlite');
  const first = await seed(API_KEY, bare.urls.public);
  expect(first.stdout).toContain('seed: a dataset with 8 items\n');
  expect(first.stdout).toMatch(/^seed: the experiments with echo failed: .+\n$/m);
  const again = await seed(API_KEY, bare.urls.public);
  expect(again.stdout).toBe('seed: the sample data is there already: nothing was added\n');
  await bare.stop();
});

test('seed stops waiting for an experiment that does not end', async () => {
  let looks = 0;
  const client = {
    experiments: {
      startExperiment: () => Promise.resolve({ id: 'xpt_1' }),
      getExperiment: () => Promise.resolve({ status: 'running' }),
    },
  } as unknown as SeededClient;
  const pause = () => Promise.resolve((looks += 1));
  await expect(runExperiments(client, 'dts_1', 'm', pause)).rejects.toThrow(
    'experiment xpt_1 does not end',
  );
  expect(looks).toBeGreaterThan(100);
});

test('seed names what is missing', async () => {
  await expect(seed('')).rejects.toMatchObject({
    code: 1,
    stderr: 'seed: SVC_API_KEY: expected an API key with all permissions, found none\n',
  });
});

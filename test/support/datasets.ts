import { afterAll, afterEach, beforeAll } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { contract } from '#contract/index.ts';
import { startTestControlPlane, type TestClient, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';
import { type ModelProvider, startModelProvider } from './model-provider.ts';
import { settings } from './playground.ts';
import { pollUntil } from './processes.ts';

type Items = RouteRequest<(typeof contract)['datasets']['addDatasetItems']>['body']['items'];
type Start = RouteRequest<(typeof contract)['experiments']['startExperiment']>['body'];

let made = 0;

/** Creates a dataset with these items. */
export async function makeDataset({ datasets }: TestClient, items: Items = []) {
  const { id } = await datasets.createDataset({ body: { name: `dataset ${(made += 1)}` } });
  const params = { dataset_id: id };
  if (items.length === 0) return { params, item_ids: [] };
  return { params, ...(await datasets.addDatasetItems({ params, body: { items } })) };
}

/** Starts an experiment and returns functions that follow it. */
export async function startExperimentOn(
  { experiments }: TestClient,
  params: { dataset_id: string },
  body: Partial<Start>,
) {
  const { id } = await experiments.startExperiment({ params, body: { name: 'e', ...body } });
  const experimentRequest = { params: { ...params, experiment_id: id } };
  const get = () => experiments.getExperiment(experimentRequest);
  return {
    id,
    experimentRequest,
    get,
    waitUntilEnded: () => pollUntil(get, ({ status }) => status !== 'running'),
    results: async () =>
      (await experiments.listExperimentResults({ ...experimentRequest, query: { limit: 100 } }))
        .results,
  };
}

/** Runs an experiment until it ends. */
export async function runExperimentOn(
  client: TestClient,
  params: { dataset_id: string },
  body: Partial<Start>,
) {
  const started = await startExperimentOn(client, params, body);
  const experiment = await started.waitUntilEnded();
  return { ...started, experiment, results: await started.results() };
}

/** Sets up a control plane with a model provider. */
export function setUpExperiments(kind: (typeof databases)[number]) {
  let models: ModelProvider;
  let service: TestControlPlane;
  beforeAll(async () => {
    models = await startModelProvider();
    service = await startTestControlPlane(kind, settings(models, 'openai'));
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });
  afterEach(() => {
    models.requests.length = 0;
    models.pausedRequests.length = 0;
  });
  return {
    get models() {
      return models;
    },
    get api() {
      return service.byOwner;
    },
    /** Waits until the provider has received, but not answered, this number of requests. */
    waitForPaused: (count: number) =>
      pollUntil(
        () => models.pausedRequests.length,
        (length) => length === count,
      ),
    /** Waits until the control plane has aborted this number of requests. */
    waitForAborted: (count: number) =>
      pollUntil(
        () => models.abortedRequests,
        (given) => given === count,
      ),
  };
}

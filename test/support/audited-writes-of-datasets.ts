import { uniqueName, type Write } from './audited-fixtures.ts';
import type { TestClient } from './control-plane.ts';
import { pollUntil } from './processes.ts';

/** The audited writes of datasets and experiments; see `auditedWrites`. */
export const datasetWrites: Readonly<Record<string, Write>> = {
  'datasets.createDataset': ({ byOwner }) =>
    Promise.resolve(() =>
      byOwner.datasets.createDataset({ body: { name: uniqueName('dataset') } }),
    ),
  'datasets.updateDataset': async ({ byOwner }) => {
    const { params } = await makeDataset(byOwner);
    return () => byOwner.datasets.updateDataset({ params, body: { description: 'changed' } });
  },
  'datasets.deleteDataset': async ({ byOwner }) => {
    const { params } = await makeDataset(byOwner);
    return () => byOwner.datasets.deleteDataset({ params });
  },
  'datasets.addDatasetItems': async ({ byOwner }) => {
    const { params } = await makeDataset(byOwner);
    const items = [{ input: { question: 'x' } }, { input: {} }];
    return () => byOwner.datasets.addDatasetItems({ params, body: { items } });
  },
  'datasets.updateDatasetItem': async ({ byOwner }) => {
    const { params, item_id } = await makeDataset(byOwner);
    const body = { archived: true };
    return () => byOwner.datasets.updateDatasetItem({ params: { ...params, item_id }, body });
  },
  'experiments.startExperiment': async ({ byOwner }) => {
    const { params } = await makeDataset(byOwner);
    return () => startSilent(byOwner, params);
  },
  'experiments.cancelExperiment': async ({ byOwner }) => {
    const { params } = await makeDataset(byOwner);
    const { id: experiment_id } = await startSilent(byOwner, params);
    return () => byOwner.experiments.cancelExperiment({ params: { ...params, experiment_id } });
  },
  'experiments.retryExperiment': async ({ byOwner }) => {
    const { params } = await makeDataset(byOwner);
    const { id: experiment_id } = await startWith(byOwner, params, 'down');
    const of = { params: { ...params, experiment_id } };
    await pollUntil(
      () => byOwner.experiments.getExperiment(of),
      ({ status }) => status !== 'running',
    );
    return () => byOwner.experiments.retryExperiment(of);
  },
  'experiments.deleteExperiment': async ({ byOwner }) => {
    const { params } = await makeDataset(byOwner);
    const { id: experiment_id } = await startSilent(byOwner, params);
    return () => byOwner.experiments.deleteExperiment({ params: { ...params, experiment_id } });
  },
};

async function makeDataset({ datasets }: TestClient) {
  const { id: dataset_id } = await datasets.createDataset({
    body: { name: uniqueName('dataset') },
  });
  const params = { dataset_id };
  const items = [{ input: { question: 'x' } }];
  const { item_ids } = await datasets.addDatasetItems({ params, body: { items } });
  return { params, item_id: item_ids[0] ?? '' };
}

/** Starts an experiment whose model never responds. */
const startSilent = (client: TestClient, params: { dataset_id: string }) =>
  startWith(client, params, 'silent');

const startWith = ({ experiments }: TestClient, params: { dataset_id: string }, model: string) =>
  experiments.startExperiment({
    params,
    body: { name: model, content: '{{question}}', config: { model } },
  });

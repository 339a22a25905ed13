import {
  type Case,
  OWN,
  ofDataset,
  ofDatasetItem,
  ofExperiment,
  ofQueue,
  ofQueueItem,
} from './isolation-case.ts';
import { MARK } from './marked-tenant.ts';

/** The cases of annotation queues, datasets and experiments. */
export const evaluationIsolationCases: Record<string, Case> = {
  'annotationQueues.listAnnotationQueues': OWN,
  'annotationQueues.createAnnotationQueue': {
    asks: () => ({ body: { name: 'own', scores: [{ name: 's', data_type: 'boolean' }] } }),
  },
  'annotationQueues.getAnnotationQueue': ofQueue(),
  'annotationQueues.updateAnnotationQueue': ofQueue({ name: 'n' }),
  'annotationQueues.deleteAnnotationQueue': ofQueue(),
  'annotationQueues.listAnnotationItems': ofQueue(),
  'annotationQueues.addAnnotationItems': ofQueue({ run_ids: [1] }),
  'annotationQueues.removeAnnotationItem': ofQueueItem(),
  'annotationQueues.claimAnnotationItem': ofQueue(),
  'annotationQueues.completeAnnotationItem': ofQueueItem({ scores: [{ name: MARK, value: true }] }),
  'annotationQueues.skipAnnotationItem': ofQueueItem(),
  'annotationQueues.reopenAnnotationItem': ofQueueItem(),
  'datasets.listDatasets': OWN,
  'datasets.createDataset': { asks: () => ({ body: { name: 'own' } }) },
  'datasets.getDataset': ofDataset(),
  'datasets.updateDataset': ofDataset({}, { description: 'd' }),
  'datasets.deleteDataset': ofDataset(),
  'datasets.listDatasetItems': ofDataset(),
  'datasets.addDatasetItems': ofDataset({}, { items: [{ input: {} }] }),
  'datasets.getDatasetItem': ofDatasetItem(),
  'datasets.updateDatasetItem': ofDatasetItem({ archived: true }),
  'experiments.listExperiments': ofDataset(),
  'experiments.listExperimentNames': ofDataset(),
  'experiments.startExperiment': ofDataset({}, { name: 'own', content: 'c' }),
  'experiments.getExperiment': ofExperiment(),
  'experiments.cancelExperiment': ofExperiment(),
  'experiments.retryExperiment': ofExperiment(),
  'experiments.deleteExperiment': ofExperiment(),
  'experiments.listExperimentResults': ofExperiment(),
  'experiments.getExperimentResult': ofExperiment(),
  'experiments.compareExperiments': {
    names: ({ dataset: dataset_id, experiment: experiment_id }) => ({
      params: { dataset_id, experiment_id },
      query: { other: experiment_id },
    }),
  },
};

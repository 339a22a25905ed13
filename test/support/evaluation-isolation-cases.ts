import {
  type Case,
  OWN_DATA,
  datasetCase,
  datasetItemCase,
  experimentCase,
  queueCase,
  queueItemCase,
} from './isolation-case.ts';
import { TENANT_MARKER } from './marked-tenant.ts';

/** The cases of annotation queues, datasets and experiments. */
export const evaluationIsolationCases: Record<string, Case> = {
  'annotationQueues.listAnnotationQueues': OWN_DATA,
  'annotationQueues.createAnnotationQueue': {
    withoutIds: () => ({ body: { name: 'own', scores: [{ name: 's', data_type: 'boolean' }] } }),
  },
  'annotationQueues.getAnnotationQueue': queueCase(),
  'annotationQueues.updateAnnotationQueue': queueCase({ name: 'n' }),
  'annotationQueues.deleteAnnotationQueue': queueCase(),
  'annotationQueues.listAnnotationItems': queueCase(),
  'annotationQueues.addAnnotationItems': queueCase({ run_ids: [1] }),
  'annotationQueues.removeAnnotationItem': queueItemCase(),
  'annotationQueues.claimAnnotationItem': queueCase(),
  'annotationQueues.completeAnnotationItem': queueItemCase({
    scores: [{ name: TENANT_MARKER, value: true }],
  }),
  'annotationQueues.skipAnnotationItem': queueItemCase(),
  'annotationQueues.reopenAnnotationItem': queueItemCase(),
  'datasets.listDatasets': OWN_DATA,
  'datasets.createDataset': { withoutIds: () => ({ body: { name: 'own' } }) },
  'datasets.getDataset': datasetCase(),
  'datasets.updateDataset': datasetCase({}, { description: 'd' }),
  'datasets.deleteDataset': datasetCase(),
  'datasets.listDatasetItems': datasetCase(),
  'datasets.addDatasetItems': datasetCase({}, { items: [{ input: {} }] }),
  'datasets.getDatasetItem': datasetItemCase(),
  'datasets.updateDatasetItem': datasetItemCase({ archived: true }),
  'experiments.listExperiments': datasetCase(),
  'experiments.listExperimentNames': datasetCase(),
  'experiments.startExperiment': datasetCase({}, { name: 'own', content: 'c' }),
  'experiments.getExperiment': experimentCase(),
  'experiments.cancelExperiment': experimentCase(),
  'experiments.retryExperiment': experimentCase(),
  'experiments.deleteExperiment': experimentCase(),
  'experiments.listExperimentResults': experimentCase(),
  'experiments.getExperimentResult': experimentCase(),
  'experiments.compareExperiments': {
    withForeignIds: ({ dataset: dataset_id, experiment: experiment_id }) => ({
      params: { dataset_id, experiment_id },
      query: { other: experiment_id },
    }),
  },
};

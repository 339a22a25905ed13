import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor, loadPages } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['datasets'];

export type Datasets = RouteResponse<Routes['listDatasets']>;
export type Dataset = RouteResponse<Routes['getDataset']>;
export type Items = RouteResponse<Routes['listDatasetItems']>;
export type ListedItem = Items['results'][number];
export type Item = RouteResponse<Routes['getDatasetItem']>;
export type NewItem = RouteRequest<Routes['addDatasetItems']>['body']['items'][number];

interface Paging {
  limit: number;
  offset: number;
}

const noTopics = { topics: [] } as const;

/** Live, because the list contains the number of experiments. */
export const datasetList = (paging: Paging): Source<Datasets> => ({
  topics: ['experiments'],
  throttleMs: 2000,
  key: keyFor('datasets', paging),
  load: (signal) => api.datasets.listDatasets({ query: paging }, { signal }),
});

/** All datasets for a selection field, most recently changed first. */
export const allDatasets = (): Source<Dataset[]> => ({
  ...noTopics,
  key: 'every dataset',
  load: async (signal) => {
    const load = (query: Paging) => api.datasets.listDatasets({ query }, { signal });
    return (await loadPages({ to: 1000, load })).results;
  },
});

export const datasetDetail = (dataset_id: string): Source<Dataset> => ({
  topics: ['experiments'],
  throttleMs: 2000,
  key: keyFor('dataset', dataset_id),
  load: (signal) => api.datasets.getDataset({ params: { dataset_id } }, { signal }),
});

export const itemList = (
  dataset_id: string,
  query: Paging & { state: 'active' | 'archived' },
): Source<Items> => ({
  ...noTopics,
  key: keyFor('dataset items', dataset_id, query),
  load: (signal) => api.datasets.listDatasetItems({ params: { dataset_id }, query }, { signal }),
});

export const itemDetail = (dataset_id: string, item_id: string): Source<Item> => ({
  ...noTopics,
  key: keyFor('dataset item', dataset_id, item_id),
  load: (signal) => api.datasets.getDatasetItem({ params: { dataset_id, item_id } }, { signal }),
});

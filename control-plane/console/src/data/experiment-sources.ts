import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor, loadPages } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['experiments'];

export type Experiments = RouteResponse<Routes['listExperiments']>;
export type ListedExperiment = Experiments['results'][number];
export type NamedExperiment = RouteResponse<Routes['listExperimentNames']>['results'][number];
export type Experiment = RouteResponse<Routes['getExperiment']>;
export type NewExperiment = RouteRequest<Routes['startExperiment']>['body'];
export type Evaluator = NonNullable<NewExperiment['evaluators']>[number];
export type Results = RouteResponse<Routes['listExperimentResults']>;
export type ListedResult = Results['results'][number];
export type Result = RouteResponse<Routes['getExperimentResult']>;
export type Score = ListedResult['scores'][number];
export type Comparison = RouteResponse<Routes['compareExperiments']>;
export type ComparedItem = Comparison['results'][number];

interface Paging {
  limit: number;
  offset: number;
}

/** Identifies an experiment in the API. */
export interface ExperimentPath {
  dataset_id: string;
  experiment_id: string;
}

const live = { topics: ['experiments'], throttleMs: 1000 } as const;

export const experimentList = (dataset_id: string, query: Paging): Source<Experiments> => ({
  ...live,
  key: keyFor('experiments', dataset_id, query),
  load: (signal) => api.experiments.listExperiments({ params: { dataset_id }, query }, { signal }),
});

/**
 * All experiments of a dataset for a selection field, newest first. Not live, because results are
 * not included.
 */
export const allExperiments = (dataset_id: string): Source<NamedExperiment[]> => ({
  topics: [],
  key: keyFor('every experiment', dataset_id),
  load: async (signal) => {
    const load = (query: Paging) =>
      api.experiments.listExperimentNames({ params: { dataset_id }, query }, { signal });
    return (await loadPages({ to: 1000, load })).results;
  },
});

export const experimentDetail = (params: ExperimentPath): Source<Experiment> => ({
  ...live,
  key: keyFor('experiment', params),
  load: (signal) => api.experiments.getExperiment({ params }, { signal }),
});

export const resultList = (params: ExperimentPath, query: Paging): Source<Results> => ({
  ...live,
  key: keyFor('experiment results', params, query),
  load: (signal) => api.experiments.listExperimentResults({ params, query }, { signal }),
});

export const resultDetail = (params: ExperimentPath & { item_id: string }): Source<Result> => ({
  ...live,
  key: keyFor('experiment result', params),
  load: (signal) => api.experiments.getExperimentResult({ params }, { signal }),
});

export const comparison = (
  params: ExperimentPath,
  query: Paging & { other: string },
): Source<Comparison> => ({
  ...live,
  key: keyFor('experiment comparison', params, query),
  load: (signal) => api.experiments.compareExperiments({ params, query }, { signal }),
});

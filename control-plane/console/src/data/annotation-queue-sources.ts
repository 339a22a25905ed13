import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor, MAX_PAGE_SIZE } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['annotationQueues'];

export type AnnotationQueue = RouteResponse<Routes['getAnnotationQueue']>;
export type Progress = AnnotationQueue['progress'];
/** A score that reviewers give. */
export type ScoreConfig = AnnotationQueue['scores'][number];
export type QueueBody = RouteRequest<Routes['createAnnotationQueue']>['body'];

export type AnnotationItems = RouteResponse<Routes['listAnnotationItems']>;
export type AnnotationItem = AnnotationItems['results'][number];
export type ItemStatus = AnnotationItem['status'];
export type ItemQuery = RouteRequest<Routes['listAnnotationItems']>['query'];

export type Claim = RouteResponse<Routes['claimAnnotationItem']>;
export type ClaimedItem = NonNullable<Claim['item']>;
export type GivenScore = ClaimedItem['scores'][number];

/** Polled, because other reviewers complete items too. */
const polled = { topics: [], pollMs: 30_000 } as const;

/** All queues. A tenant has at most one page of them. */
export const queueList = (): Source<AnnotationQueue[]> => ({
  ...polled,
  key: 'annotation queues',
  load: async (signal) => {
    const query = { limit: MAX_PAGE_SIZE };
    return (await api.annotationQueues.listAnnotationQueues({ query }, { signal })).results;
  },
});

export const queueDetail = (queue_id: string): Source<AnnotationQueue> => ({
  ...polled,
  key: keyFor('annotation queue', queue_id),
  load: (signal) => api.annotationQueues.getAnnotationQueue({ params: { queue_id } }, { signal }),
});

export const itemList = (queue_id: string, query: ItemQuery): Source<AnnotationItems> => ({
  ...polled,
  key: keyFor('annotation items', queue_id, query),
  load: (signal) =>
    api.annotationQueues.listAnnotationItems({ params: { queue_id }, query }, { signal }),
});

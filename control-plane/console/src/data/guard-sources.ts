import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['guard'];
type HistoryQuery = RouteRequest<Routes['listGuardHistory']>['query'];

export type CatalogHost = RouteResponse<Routes['listCatalog']>['hosts'][number];
export type GuardLayer = RouteResponse<Routes['listLayers']>['results'][number];
export type Resolved = RouteResponse<Routes['resolveGuard']>;
export type ResolveQuery = RouteRequest<Routes['resolveGuard']>['query'];
export type GuardPreview = RouteResponse<Routes['previewLayer']>;
export type PreviewBody = RouteRequest<Routes['previewLayer']>['body'];
export type GuardChange = RouteResponse<Routes['listGuardHistory']>['results'][number];

export const guardHistory = (query: HistoryQuery): Source<LoadedList<GuardChange>> => ({
  key: keyFor('guard history', query),
  topics: ['guard'],
  load: (signal) => api.guard.listGuardHistory({ query }, { signal }),
});

export const catalog = (): Source<CatalogHost[]> => ({
  key: 'catalog',
  topics: [],
  load: async (signal) => (await api.guard.listCatalog(undefined, { signal })).hosts,
});

export const guardLayers = (): Source<GuardLayer[]> => ({
  key: 'layers',
  topics: ['guard'],
  load: async (signal) => (await api.guard.listLayers(undefined, { signal })).results,
});

export const resolvedGuard = (query: ResolveQuery): Source<Resolved> => ({
  key: keyFor('resolved', query),
  topics: ['guard', 'devices'],
  load: (signal) => api.guard.resolveGuard({ query }, { signal }),
});

/** A preview of saving this layer. */
export const guardPreview = (body: PreviewBody): Source<GuardPreview> => ({
  key: keyFor('guard preview', JSON.stringify(body)),
  topics: ['guard', 'devices'],
  throttleMs: 2000,
  load: (signal) => api.guard.previewLayer({ body }, { signal }),
});

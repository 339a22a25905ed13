import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './many.ts';
import type { Many } from './many.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['guard'];
type HistoryQuery = RouteRequest<Routes['listGuardHistory']>['query'];

export type GuardChange = RouteResponse<Routes['listGuardHistory']>['results'][number];

export const guardHistory = (query: HistoryQuery): Source<Many<GuardChange>> => ({
  key: keyFor('guard history', query),
  topics: ['guard'],
  load: (signal) => api.guard.listGuardHistory({ query }, { signal }),
});

import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['listViews'];

export type ListView = RouteResponse<Routes['listViews']>['results'][number];
/** A list whose views can be saved. */
export type ViewedList = ListView['list'];

export const listViews = (list: ViewedList): Source<ListView[]> => ({
  key: keyFor('list views', list),
  topics: [],
  load: async (signal) => (await api.listViews.listViews({ query: { list } }, { signal })).results,
});

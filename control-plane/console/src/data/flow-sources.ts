import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { deviceItemKey, keyFor, loadPages } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['flows'];
export type FlowFilter = Omit<RouteRequest<Routes['listFlows']>['query'], 'start' | 'end'>;
export type FlowCounts = RouteResponse<Routes['summarizeFlows']>;
export type FlowGroups = RouteResponse<Routes['groupFlows']>;
export type FlowGroup = FlowGroups['results'][number];

export type Flow = RouteResponse<Routes['listFlows']>['results'][number];

export const flowList = (
  filter: FlowFilter,
  limit: number,
  range: TimeRange = {},
): Source<LoadedList<Flow>> => ({
  key: keyFor('flows', filter, limit, range),
  topics: ['flows'],
  ...(filter.device ? { device: filter.device } : {}),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return loadPages({
      to: limit,
      load: (paging) => api.flows.listFlows({ query: { ...query, ...paging } }, { signal }),
      keyOf: deviceItemKey,
    });
  },
});

/** Flows over time. The request reads every flow that matches, so refetches are throttled. */
export const flowCounts = (filter: FlowFilter, range: TimeRange): Source<FlowCounts> => ({
  key: keyFor('flow counts', filter, range),
  topics: ['flows'],
  throttleMs: 5000,
  ...(filter.device ? { device: filter.device } : {}),
  load: (signal) =>
    api.flows.summarizeFlows({ query: { ...filter, ...queryOf(range, Date.now()) } }, { signal }),
});

/** Flows in groups. The request reads many flows, so refetches are throttled. */
export const flowGroups = (filter: FlowFilter, range: TimeRange): Source<FlowGroups> => ({
  key: keyFor('flow groups', filter, range),
  topics: ['flows'],
  throttleMs: 5000,
  ...(filter.device ? { device: filter.device } : {}),
  load: (signal) =>
    api.flows.groupFlows({ query: { ...filter, ...queryOf(range, Date.now()) } }, { signal }),
});

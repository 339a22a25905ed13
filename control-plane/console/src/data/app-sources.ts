import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './many.ts';
import type { Many } from './many.ts';
import type { Source } from './query.ts';
import type { App } from './sources.ts';

type Fleet = (typeof contract)['fleet'];
type Rules = (typeof contract)['inventoryRules'];

export type AppGroup = RouteResponse<Fleet['listAppGroups']>['results'][number];
export type AppGroupDetail = RouteResponse<Fleet['getAppGroup']>;
export type AppGroupFilter = RouteRequest<Fleet['listAppGroups']>['query'];
export type InventoryRule = RouteResponse<Rules['getInventoryRule']>;
export type InventoryRuleBody = RouteRequest<Rules['createInventoryRule']>['body'];
export type RulePreview = RouteResponse<Rules['previewInventoryRule']>;

/** A fleet reports continuously: changes within a second cause one request. */
const ofInventory = { topics: ['inventory'], throttleMs: 1000 } as const;

export const appGroupList = (
  filter: AppGroupFilter,
  newSince: TimeRange,
): Source<Many<AppGroup>> => ({
  ...ofInventory,
  key: keyFor('app groups', filter, newSince),
  load: (signal) => {
    const { start } = queryOf(newSince, Date.now());
    const query = { ...filter, ...(start !== undefined && { new_since: start }) };
    return api.fleet.listAppGroups({ query }, { signal });
  },
});

export const appGroupDetail = (id: string): Source<AppGroupDetail> => ({
  ...ofInventory,
  key: keyFor('app group', id),
  load: (signal) => api.fleet.getAppGroup({ params: { id } }, { signal }),
});

export const groupApps = (query: RouteRequest<Fleet['listApps']>['query']): Source<Many<App>> => ({
  ...ofInventory,
  key: keyFor('apps of a group', query),
  load: (signal) => api.fleet.listApps({ query }, { signal }),
});

export const inventoryRuleList = (query: {
  limit: number;
  offset: number;
}): Source<Many<InventoryRule>> => ({
  ...ofInventory,
  pollMs: 15_000,
  key: keyFor('inventory rules', query),
  load: (signal) => api.inventoryRules.listInventoryRules({ query }, { signal }),
});

export const inventoryRuleDetail = (id: string): Source<InventoryRule> => ({
  topics: [],
  key: keyFor('inventory rule', id),
  load: (signal) => api.inventoryRules.getInventoryRule({ params: { id } }, { signal }),
});

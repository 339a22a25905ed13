import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { deviceItemKey, keyFor, loadPages } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['inventory'];
type Rules = (typeof contract)['inventoryRules'];
export type AppFilter = RouteRequest<Routes['listApps']>['query'];
type AppList = RouteResponse<Routes['listApps']>;

export type App = RouteResponse<Routes['listApps']>['results'][number];
export type AppKind = App['kind'];
export type AppGroup = RouteResponse<Routes['listAppGroups']>['results'][number];
export type AppGroupDetail = RouteResponse<Routes['getAppGroup']>;
export type AppGroupFilter = RouteRequest<Routes['listAppGroups']>['query'];
export type InventoryRule = RouteResponse<Rules['getInventoryRule']>;
export type InventoryRuleBody = RouteRequest<Rules['createInventoryRule']>['body'];
export type RulePreview = RouteResponse<Rules['previewInventoryRule']>;

/** Maximum number of apps to load for one device. */
const MAX_DEVICE_APPS = 1000;

export const deviceApps = (device: string, filter: AppFilter): Source<LoadedList<App>> => ({
  key: keyFor('apps', device, filter),
  topics: ['apps'],
  device,
  load: (signal) =>
    loadPages({
      to: MAX_DEVICE_APPS,
      load: (paging) =>
        api.inventory.listApps({ query: { ...filter, device, ...paging } }, { signal }),
      keyOf: deviceItemKey,
    }),
});

type AppCountQuery = RouteRequest<Routes['summarizeApps']>['query'];
type AppGroupCountQuery = RouteRequest<Routes['summarizeAppGroups']>['query'];
export type AppCounts = RouteResponse<Routes['summarizeApps']>;

/** The two time ranges of an app filter: when the app was new, and a range for any of its times. */
export interface AppRanges {
  newSince: TimeRange;
  range: TimeRange;
}

const anyTime: AppRanges = { newSince: {}, range: {} };

export function boundsOf({ newSince, range }: AppRanges) {
  const now = Date.now();
  const { start } = queryOf(newSince, now);
  return { ...(start !== undefined && { new_since: start }), ...queryOf(range, now) };
}

/** A fleet reports continuously, so changes within a second cause a single request. */
const ofInventory = { topics: ['inventory'], throttleMs: 1000 } as const;

export const appGroupList = (
  filter: AppGroupFilter,
  ranges: AppRanges = anyTime,
): Source<LoadedList<AppGroup>> => ({
  ...ofInventory,
  key: keyFor('app groups', filter, ranges),
  load: (signal) =>
    api.inventory.listAppGroups({ query: { ...filter, ...boundsOf(ranges) } }, { signal }),
});

/** Apps over time. The request reads every app that matches, so refetches are throttled. */
export const appGroupCounts = (
  { sort: _sort, ...filter }: AppGroupCountQuery & Pick<AppGroupFilter, 'sort'>,
  ranges: AppRanges,
): Source<AppCounts> => ({
  topics: ['inventory'],
  throttleMs: 5000,
  key: keyFor('app group counts', filter, ranges),
  load: (signal) =>
    api.inventory.summarizeAppGroups({ query: { ...filter, ...boundsOf(ranges) } }, { signal }),
});

export const appGroupDetail = (id: string): Source<AppGroupDetail> => ({
  ...ofInventory,
  key: keyFor('app group', id),
  load: (signal) => api.inventory.getAppGroup({ params: { id } }, { signal }),
});

export const appList = (query: AppFilter, ranges: AppRanges = anyTime): Source<AppList> => ({
  topics: ['apps', 'inventory'],
  throttleMs: 2000,
  key: keyFor('installations', query, ranges),
  load: (signal) =>
    api.inventory.listApps({ query: { ...query, ...boundsOf(ranges) } }, { signal }),
});

export const appCounts = (
  { sort: _sort, ...filter }: AppCountQuery & Pick<AppFilter, 'sort'>,
  ranges: AppRanges,
): Source<AppCounts> => ({
  topics: ['apps', 'inventory'],
  throttleMs: 5000,
  key: keyFor('installation counts', filter, ranges),
  load: (signal) =>
    api.inventory.summarizeApps({ query: { ...filter, ...boundsOf(ranges) } }, { signal }),
});

export const inventoryRuleList = (query: {
  limit: number;
  offset: number;
}): Source<LoadedList<InventoryRule>> => ({
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

import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor, loadMany } from './many.ts';
import type { Many } from './many.ts';
import type { Source } from './query.ts';

type Routes = typeof contract;
type Item<R extends { results: unknown[] }> = R['results'][number];

export type Device = Item<RouteResponse<Routes['fleet']['listDevices']>>;
export type DeviceDetail = RouteResponse<Routes['fleet']['getDevice']>;
export type App = Item<RouteResponse<Routes['fleet']['listApps']>>;
export type Flow = Item<RouteResponse<Routes['fleet']['listFlows']>>;
export type CatalogHost = RouteResponse<Routes['guard']['listCatalog']>['hosts'][number];
export type GuardLayer = Item<RouteResponse<Routes['guard']['listLayers']>>;
export type Resolved = RouteResponse<Routes['guard']['resolveGuard']>;
export type ResolveQuery = RouteRequest<Routes['guard']['resolveGuard']>['query'];
export type ApiKey = Item<RouteResponse<Routes['identity']['listApiKeys']>>;
export type AppKind = App['kind'];

type AppFilter = RouteRequest<Routes['fleet']['listApps']>['query'];
type FlowFilter = RouteRequest<Routes['fleet']['listFlows']>['query'];
type DeviceFilter = RouteRequest<Routes['fleet']['listDevices']>['query'];

/** Ids of flows and apps are unique per device only. */
const keyOf = ({ device_id, id }: { device_id?: string; id: string }): string =>
  `${device_id} ${id}`;

export const deviceList = (query: DeviceFilter): Source<Many<Device>> => ({
  key: keyFor('devices', query),
  topics: ['devices', 'guard'],
  load: (signal) => api.fleet.listDevices({ query }, { signal }),
});

/** Maximum number of devices to load; pages say so if the fleet is larger. */
const fleetSize = 1000;

export const fleet = (): Source<Many<Device>> => ({
  key: 'fleet',
  topics: ['devices', 'guard'],
  load: (signal) =>
    loadMany({
      to: fleetSize,
      load: (query) => api.fleet.listDevices({ query }, { signal }),
      keyOf,
    }),
});

export const deviceDetail = (id: string): Source<DeviceDetail> => ({
  key: keyFor('device', id),
  topics: ['devices', 'apps', 'flows', 'captures', 'guard'],
  device: id,
  load: (signal) => api.fleet.getDevice({ params: { id } }, { signal }),
});

export const deviceApps = (device: string, filter: AppFilter): Source<Many<App>> => ({
  key: keyFor('apps', device, filter),
  topics: ['apps'],
  device,
  load: (signal) =>
    loadMany({
      to: fleetSize,
      load: (paging) => api.fleet.listApps({ query: { ...filter, device, ...paging } }, { signal }),
      keyOf,
    }),
});

export const flowList = (filter: FlowFilter, limit: number): Source<Many<Flow>> => ({
  key: keyFor('flows', filter, limit),
  topics: ['flows'],
  ...(filter.device ? { device: filter.device } : {}),
  load: (signal) =>
    loadMany({
      to: limit,
      load: (paging) => api.fleet.listFlows({ query: { ...filter, ...paging } }, { signal }),
      keyOf,
    }),
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

export const apiKeys = (): Source<ApiKey[]> => ({
  key: 'api-keys',
  topics: [],
  load: async (signal) => (await api.identity.listApiKeys(undefined, { signal })).results,
});

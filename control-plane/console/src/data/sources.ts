import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
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
export type RunSummary = Item<RouteResponse<Routes['runs']['listRuns']>>;
export type Run = RouteResponse<Routes['runs']['getRun']>;
export type ApiKey = Item<RouteResponse<Routes['identity']['listApiKeys']>>;
export type AppKind = App['kind'];
export type RunStatus = RunSummary['status'];

type AppFilter = RouteRequest<Routes['fleet']['listApps']>['query'];
type FlowFilter = RouteRequest<Routes['fleet']['listFlows']>['query'];
type RunFilter = RouteRequest<Routes['runs']['listRuns']>['query'];
type DeviceFilter = RouteRequest<Routes['fleet']['listDevices']>['query'];

export interface Many<T> {
  results: T[];
  /** How many there are, of which `results` may be the first part. */
  count: number;
}

/** The longest page that the service answers. */
export const longestPage = 100;

type LoadPage<T> = (paging: { limit: number; offset: number }) => Promise<Many<T>>;

/** Pages from the first on, until `most` items or the end. */
async function loadMany<T extends Identified>(most: number, load: LoadPage<T>): Promise<Many<T>> {
  // A list that grows at its head while it is read shows an item again on the next page.
  const found = new Map<string, T>();
  let offset = 0;
  for (;;) {
    const page = await load({ limit: longestPage, offset });
    for (const item of page.results) found.set(`${item.device_id} ${item.id}`, item);
    offset += page.results.length;
    const done = page.results.length === 0 || offset >= Math.min(most, page.count);
    if (done) return { results: [...found.values()], count: page.count };
  }
}

interface Identified {
  id: string;
  /** A device numbers its own flows. */
  device_id?: string;
}

const keyOf = (name: string, ...parts: unknown[]) => `${name} ${JSON.stringify(parts)}`;

export const deviceList = (query: DeviceFilter): Source<Many<Device>> => ({
  key: keyOf('devices', query),
  topics: ['devices', 'guard'],
  load: (signal) => api.fleet.listDevices({ query }, { signal }),
});

/** Enough to choose from and to count on; beyond it the console says that it is a part. */
const fleetSize = 1000;

export const fleet = (): Source<Many<Device>> => ({
  key: 'fleet',
  topics: ['devices', 'guard'],
  load: (signal) =>
    loadMany(fleetSize, (paging) => api.fleet.listDevices({ query: paging }, { signal })),
});

export const deviceDetail = (id: string): Source<DeviceDetail> => ({
  key: keyOf('device', id),
  topics: ['devices', 'apps', 'flows', 'guard'],
  device: id,
  load: (signal) => api.fleet.getDevice({ params: { id } }, { signal }),
});

export const deviceApps = (device: string, filter: AppFilter): Source<Many<App>> => ({
  key: keyOf('apps', device, filter),
  topics: ['apps'],
  device,
  load: (signal) =>
    loadMany(fleetSize, (paging) =>
      api.fleet.listApps({ query: { ...filter, device, ...paging } }, { signal }),
    ),
});

export const flowList = (filter: FlowFilter, most: number): Source<Many<Flow>> => ({
  key: keyOf('flows', filter, most),
  topics: ['flows'],
  ...(filter.device ? { device: filter.device } : {}),
  load: (signal) =>
    loadMany(most, (paging) =>
      api.fleet.listFlows({ query: { ...filter, ...paging } }, { signal }),
    ),
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
  key: keyOf('resolved', query),
  topics: ['guard', 'devices'],
  load: (signal) => api.guard.resolveGuard({ query }, { signal }),
});

export const runList = (query: RunFilter): Source<Many<RunSummary>> => ({
  key: keyOf('runs', query),
  topics: ['runs'],
  load: (signal) => api.runs.listRuns({ query }, { signal }),
});

export const runDetail = (id: string): Source<Run> => ({
  key: keyOf('run', id),
  topics: ['runs'],
  load: (signal) => api.runs.getRun({ params: { id } }, { signal }),
});

export const apiKeys = (): Source<ApiKey[]> => ({
  key: 'api-keys',
  topics: [],
  load: async (signal) => (await api.identity.listApiKeys(undefined, { signal })).results,
});

import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor, loadPages } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['devices'];
type DeviceQuery = RouteRequest<Routes['listDevices']>['query'];
export type DeviceFilter = Omit<
  RouteRequest<Routes['exportDevices']>['query'],
  'format' | 'sort' | 'start' | 'end'
>;
type DeviceCountQuery = RouteRequest<Routes['summarizeDevices']>['query'];
export type DeviceCounts = RouteResponse<Routes['summarizeDevices']>;

export type Device = RouteResponse<Routes['listDevices']>['results'][number];
export type DeviceDetail = RouteResponse<Routes['getDevice']>;

export const deviceList = (
  filter: Omit<DeviceQuery, 'start' | 'end'>,
  range: TimeRange = {},
): Source<LoadedList<Device>> => ({
  key: keyFor('devices', filter, range),
  topics: ['devices', 'guard'],
  load: (signal) =>
    api.devices.listDevices({ query: { ...filter, ...queryOf(range, Date.now()) } }, { signal }),
});

/** Devices over time. The request reads every device that matches, so refetches are throttled. */
export const deviceCounts = (
  filter: Omit<DeviceCountQuery, 'start' | 'end'>,
  range: TimeRange,
): Source<DeviceCounts> => ({
  key: keyFor('device counts', filter, range),
  topics: ['devices', 'guard'],
  throttleMs: 5000,
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.devices.summarizeDevices({ query }, { signal });
  },
});

/** Maximum number of devices to load; pages say so if the fleet is larger. */
const FLEET_SIZE = 1000;

export const fleet = (): Source<LoadedList<Device>> => ({
  key: 'fleet',
  topics: ['devices', 'guard'],
  load: (signal) =>
    loadPages({
      to: FLEET_SIZE,
      load: (query) => api.devices.listDevices({ query }, { signal }),
      keyOf: ({ id }) => id,
    }),
});

export const deviceDetail = (id: string): Source<DeviceDetail> => ({
  key: keyFor('device', id),
  topics: ['devices', 'apps', 'flows', 'captures', 'guard'],
  device: id,
  load: (signal) => api.devices.getDevice({ params: { id } }, { signal }),
});

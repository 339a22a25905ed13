import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor, loadMany } from './many.ts';
import type { Many } from './many.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['devices'];
type DeviceQuery = RouteRequest<Routes['listDevices']>['query'];
export type DeviceFilter = Omit<RouteRequest<Routes['exportDevices']>['query'], 'format' | 'sort'>;

export type Device = RouteResponse<Routes['listDevices']>['results'][number];
export type DeviceDetail = RouteResponse<Routes['getDevice']>;

export const deviceList = (query: DeviceQuery): Source<Many<Device>> => ({
  key: keyFor('devices', query),
  topics: ['devices', 'guard'],
  load: (signal) => api.devices.listDevices({ query }, { signal }),
});

/** Maximum number of devices to load; pages say so if the fleet is larger. */
const FLEET_SIZE = 1000;

export const fleet = (): Source<Many<Device>> => ({
  key: 'fleet',
  topics: ['devices', 'guard'],
  load: (signal) =>
    loadMany({
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

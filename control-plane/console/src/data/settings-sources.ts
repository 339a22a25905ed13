import type { AppSettings } from '#contract/app-settings.ts';
import type { contract } from '#contract/index.ts';
import type { EnrollmentSettings } from '#contract/enrollment.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Contract = typeof contract;

export type RecordingSettings = RouteResponse<Contract['settings']['getRecordingSettings']>;
export type Masking = RecordingSettings['masking'];
export type ModelPrice = RouteResponse<Contract['costs']['listModelCosts']>['results'][number];
export type Recomputation = RouteResponse<Contract['costs']['findRecomputation']>;
export type EndUserLimits = RouteResponse<Contract['endUsers']['putEndUserLimits']>;
export type Authority = RouteResponse<Contract['authorities']['rotateAuthority']>;
export type AddOn = RouteResponse<Contract['enterprise']['listAddOns']>['add_ons'][number];
export type Region = RouteResponse<Contract['enterprise']['getTenantRegion']>['region'];

export const enrollmentSettings = (): Source<EnrollmentSettings> => ({
  key: 'enrollment settings',
  topics: [],
  load: (signal) => api.enrollment.getEnrollmentSettings(undefined, { signal }),
});

export const appSettings = (): Source<AppSettings> => ({
  key: 'app settings',
  topics: [],
  load: (signal) => api.appSettings.getAppSettings(undefined, { signal }),
});

export const recordingSettings = (): Source<RecordingSettings> => ({
  key: 'recording settings',
  topics: [],
  load: (signal) => api.settings.getRecordingSettings(undefined, { signal }),
});

export const modelPrices = (): Source<ModelPrice[]> => ({
  key: 'model prices',
  topics: [],
  load: async (signal) => (await api.costs.listModelCosts(undefined, { signal })).results,
});

/** The recomputation of costs, polled while it runs. Used only after one has been started. */
export const recomputation = (): Source<Recomputation> => ({
  key: 'recomputation',
  topics: [],
  pollMs: 2000,
  load: (signal) => api.costs.findRecomputation(undefined, { signal }),
});

export const endUserLimitList = (paging: {
  limit: number;
  offset: number;
}): Source<LoadedList<EndUserLimits>> => ({
  key: keyFor('end-user limits', paging),
  topics: [],
  load: (signal) => api.endUsers.listEndUserLimits({ query: paging }, { signal }),
});

export const authorityList = (): Source<Authority[]> => ({
  key: 'authorities',
  topics: [],
  load: async (signal) => (await api.authorities.listAuthorities(undefined, { signal })).results,
});

export const addOnList = (): Source<AddOn[]> => ({
  key: 'add-ons',
  topics: [],
  load: async (signal) => (await api.enterprise.listAddOns(undefined, { signal })).add_ons,
});

export const regionList = (): Source<{ regions: Region[]; current: string }> => ({
  key: 'regions',
  topics: [],
  load: async (signal) => {
    const [{ regions }, { region }] = await Promise.all([
      api.enterprise.listRegions(undefined, { signal }),
      api.enterprise.getTenantRegion(undefined, { signal }),
    ]);
    return { regions, current: region.code };
  },
});

import type { contract } from '#contract/index.ts';
import type { Period } from '#contract/fields.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['overview'];

export type Activity = RouteResponse<Routes['getActivity']>;
export type Overview = RouteResponse<Routes['getOverview']>;

/** Polled, because policy checks before a run and expiry are not sent over the live channel. */
const live = {
  topics: ['runs', 'devices', 'inventory'],
  throttleMs: 2000,
  pollMs: 15_000,
} as const;

export const activity = (period: Period): Source<Activity> => ({
  ...live,
  key: keyFor('activity', period),
  load: (signal) => api.overview.getActivity({ query: { period } }, { signal }),
});

export const overview = (): Source<Overview> => ({
  ...live,
  key: 'overview',
  load: (signal) => api.overview.getOverview(undefined, { signal }),
});

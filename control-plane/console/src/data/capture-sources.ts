import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor, loadPages } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['captures'];
type Query = RouteRequest<Routes['listCaptures']>['query'];

export type CaptureList = RouteResponse<Routes['listCaptures']>;
export type CaptureCounts = RouteResponse<Routes['summarizeCaptures']>;
export type Capture = CaptureList['results'][number];
export type CaptureDetail = RouteResponse<Routes['getCapture']>;
export type CaptureAgent = RouteResponse<Routes['listCaptureAgents']>['results'][number];
export type CaptureFilter = Omit<Query, 'start' | 'end'>;

export const captureList = (filter: CaptureFilter, range: TimeRange): Source<CaptureList> => ({
  key: keyFor('captures', filter, range),
  topics: ['captures'],
  throttleMs: 2000,
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.captures.listCaptures({ query }, { signal });
  },
});

/** Captures over time. The request reads every capture that matches, so refetches are throttled. */
export const captureCounts = (filter: CaptureFilter, range: TimeRange): Source<CaptureCounts> => ({
  key: keyFor('capture counts', filter, range),
  topics: ['captures'],
  throttleMs: 5000,
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.captures.summarizeCaptures({ query }, { signal });
  },
});

/**
 * A capture with its bodies. Immutable, except that a run recorded by a client replaces its run.
 */
export const captureDetail = (id: string): Source<CaptureDetail> => ({
  key: keyFor('capture', id),
  topics: [],
  load: (signal) => api.captures.getCapture({ params: { id } }, { signal }),
});

/** Far more than users set by hand. */
const MAX_AGENTS = 1000;

export const captureAgents = (): Source<LoadedList<CaptureAgent>> => ({
  key: 'capture agents',
  topics: [],
  load: (signal) =>
    loadPages({
      to: MAX_AGENTS,
      load: (query) => api.captures.listCaptureAgents({ query }, { signal }),
      keyOf: keyOfAgent,
    }),
});

/** A unique key: there is one setting per device and app. */
export const keyOfAgent = ({ device_id, app }: Pick<CaptureAgent, 'device_id' | 'app'>): string =>
  JSON.stringify([device_id, app]);

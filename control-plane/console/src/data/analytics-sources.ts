import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['analytics'];
type SessionQuery = RouteRequest<Routes['listSessions']>['query'];
type UserQuery = RouteRequest<Routes['listTrackedUsers']>['query'];

type SessionCountQuery = RouteRequest<Routes['summarizeSessions']>['query'];
type UserCountQuery = RouteRequest<Routes['summarizeTrackedUsers']>['query'];
export type SessionCounts = RouteResponse<Routes['summarizeSessions']>;
export type UserCounts = RouteResponse<Routes['summarizeTrackedUsers']>;
export type Session = RouteResponse<Routes['listSessions']>['results'][number];
export type SessionDetail = RouteResponse<Routes['getSession']>;
export type SessionSort = NonNullable<SessionQuery['sort']>;
export type TrackedUser = RouteResponse<Routes['listTrackedUsers']>['results'][number];
export type TrackedUserDetail = RouteResponse<Routes['getTrackedUser']>;
export type TrackedUserSort = NonNullable<UserQuery['sort']>;
export type ModelUsage = RouteResponse<Routes['getModelAnalytics']>;
export type Period = ModelUsage['period'];
export type Unpriced = RouteResponse<(typeof contract)['costs']['listUnpriced']>['results'][number];

const ofRuns = { topics: ['runs'], throttleMs: 1000 } as const;

export const sessionList = (
  filter: Omit<SessionQuery, 'start' | 'end'>,
  range: TimeRange,
): Source<LoadedList<Session>> => ({
  ...ofRuns,
  key: keyFor('sessions', filter, range),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.analytics.listSessions({ query }, { signal });
  },
});

/** Sessions over time. The request reads every session that matches, so refetches are throttled. */
export const sessionCounts = (
  filter: Omit<SessionCountQuery, 'start' | 'end'>,
  range: TimeRange,
): Source<SessionCounts> => ({
  topics: ['runs'],
  throttleMs: 5000,
  key: keyFor('session counts', filter, range),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.analytics.summarizeSessions({ query }, { signal });
  },
});

/** A session with its latest `limit` runs. */
export const sessionDetail = (session_id: string, limit: number): Source<SessionDetail> => ({
  ...ofRuns,
  key: keyFor('session', session_id, limit),
  load: (signal) =>
    api.analytics.getSession({ params: { session_id }, query: { limit } }, { signal }),
});

export const userList = (
  filter: Omit<UserQuery, 'start' | 'end'>,
  range: TimeRange,
): Source<LoadedList<TrackedUser>> => ({
  ...ofRuns,
  key: keyFor('users', filter, range),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.analytics.listTrackedUsers({ query }, { signal });
  },
});

/** End users over time. The request reads every user that matches, so refetches are throttled. */
export const userCounts = (
  filter: Omit<UserCountQuery, 'start' | 'end'>,
  range: TimeRange,
): Source<UserCounts> => ({
  topics: ['runs'],
  throttleMs: 5000,
  key: keyFor('user counts', filter, range),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.analytics.summarizeTrackedUsers({ query }, { signal });
  },
});

/** A user with one page of their runs. */
export const userDetail = (
  user_id: string,
  query: { limit: number; offset: number },
): Source<TrackedUserDetail> => ({
  ...ofRuns,
  key: keyFor('user', user_id, query),
  load: (signal) => api.analytics.getTrackedUser({ params: { user_id }, query }, { signal }),
});

export const modelUsage = (period: Period, agent: string): Source<ModelUsage> => ({
  ...ofRuns,
  key: keyFor('models', period, agent),
  load: (signal) =>
    api.analytics.getModelAnalytics({ query: { period, ...(agent && { agent }) } }, { signal }),
});

export const unpriced = (): Source<Unpriced[]> => ({
  ...ofRuns,
  key: 'unpriced',
  load: async (signal) => (await api.costs.listUnpriced(undefined, { signal })).results,
});

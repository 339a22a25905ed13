import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { zoneName } from '../display.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['dashboards'];
type AnalyticsRoutes = (typeof contract)['analytics'];

export type Dashboard = RouteResponse<Routes['getDashboard']>;
export type DashboardSummary = RouteResponse<Routes['listDashboards']>['results'][number];
export type Widget = Dashboard['widgets'][number];
export type ChartKind = Widget['chart'];
export type AnalyticsAnswer = RouteResponse<AnalyticsRoutes['queryAnalytics']>;
/** The query of a widget, without the time range. */
export type WidgetQuery = Widget['query'];
export type AnalyticsFilters = WidgetQuery['filters'];
export type Measure = AnalyticsAnswer['measure'];
export type Grouping = WidgetQuery['group_by'];
export type Unit = AnalyticsAnswer['unit'];

type Body = RouteRequest<AnalyticsRoutes['queryAnalytics']>['body'];

const noTopics = { topics: [] } as const;

export const dashboardList = (): Source<DashboardSummary[]> => ({
  ...noTopics,
  pollMs: 60_000,
  key: 'dashboards',
  load: async (signal) => (await api.dashboards.listDashboards(undefined, { signal })).results,
});

export const dashboardDetail = (dashboard_id: string): Source<Dashboard> => ({
  ...noTopics,
  key: keyFor('dashboard', dashboard_id),
  load: (signal) => api.dashboards.getDashboard({ params: { dashboard_id } }, { signal }),
});

/** The answer to a query, compared with the previous period. */
export const analytics = (query: WidgetQuery, range: TimeRange): Source<AnalyticsAnswer> => {
  const timezone = zoneName();
  return {
    ...noTopics,
    pollMs: 60_000,
    key: keyFor('analytics', query, range, timezone),
    load: (signal) => {
      const body: Body = { ...query, ...queryOf(range, Date.now()), timezone, compare: true };
      return api.analytics.queryAnalytics({ body }, { signal });
    },
  };
};

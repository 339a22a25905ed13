import { z } from 'zod';
import { filledQuery, storedQuery } from './analytics-query.ts';
import { flag, timestamp } from './fields.ts';
import { routes } from './route.ts';

export const MAX_WIDGETS = 30;

export const chartKinds = ['number', 'line', 'bar', 'stacked_bar', 'table'] as const;

export const widget = z.strictObject({
  title: z.string().trim().min(1, 'expected a title').max(100),
  chart: z.enum(chartKinds),
  width: z.enum(['half', 'full']).default('half'),
  query: storedQuery,
});
export type Widget = z.output<typeof widget>;

const filledWidget = z.object({
  title: z.string(),
  chart: z.enum(chartKinds),
  width: z.enum(['half', 'full']),
  query: filledQuery,
});

const name = z.string().trim().min(1, 'expected a name').max(100);
const widgets = z.array(widget).max(MAX_WIDGETS);
const isShared = flag.meta({ description: 'every user of the tenant sees it' });

const summary = {
  id: z.string(),
  name: z.string(),
  widget_count: z.int().min(0),
  is_shared: isShared,
  built_in: flag.meta({ description: 'part of the product: it can be duplicated, not changed' }),
  owner: z
    .string()
    .nullable()
    .meta({ description: 'email; null: built in, or the user was deleted' }),
  may_change: flag.meta({ description: 'the caller may change, share and delete it' }),
  updated_at: timestamp.nullable().meta({ description: 'null: built in' }),
};

export const dashboard = z.object({ ...summary, widgets: z.array(filledWidget) });

const BASE_PATH = '/api/v1/observability/dashboards/';
const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;
const one = z.object({ dashboard_id: z.string() });

/**
 * A dashboard can be changed by its owner, and by administrators if it is shared. Analysts may
 * share.
 */
export const dashboardRoutes = routes({
  listDashboards: {
    ...session,
    method: 'GET',
    path: BASE_PATH,
    summary: 'List the built-in dashboards, one’s own and the shared ones',
    response: z.object({ results: z.array(z.object(summary)) }),
  },
  createDashboard: {
    ...session,
    method: 'POST',
    path: BASE_PATH,
    summary: 'Save a dashboard',
    status: 201,
    body: z.strictObject({ name, widgets: widgets.default([]), is_shared: isShared.default(0) }),
    response: dashboard,
  },
  getDashboard: {
    ...session,
    method: 'GET',
    path: `${BASE_PATH}{dashboard_id}/`,
    summary: 'One dashboard with its widgets',
    params: one,
    response: dashboard,
  },
  updateDashboard: {
    ...session,
    method: 'PATCH',
    path: `${BASE_PATH}{dashboard_id}/`,
    summary: 'Rename or share a dashboard, or replace its widgets',
    params: one,
    body: z.strictObject({
      name: name.optional(),
      widgets: widgets.optional(),
      is_shared: isShared.optional(),
      updated_at: timestamp.optional().meta({
        description: 'the state that the change is based on; if it has changed since, 409',
      }),
    }),
    errorStatuses: [409],
    response: dashboard,
  },
  deleteDashboard: {
    ...session,
    method: 'DELETE',
    path: `${BASE_PATH}{dashboard_id}/`,
    summary: 'Delete a dashboard',
    params: one,
    status: 204,
    response: z.undefined(),
  },
});

import { type dashboardRoutes, type Widget, widget } from '#contract/dashboards.ts';
import { ApiError } from '#contract/errors.ts';
import { z } from 'zod';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import type { SessionCaller } from '../http/caller.ts';
import { emailsOf } from '../list-views/queries.ts';
import { mayChange, maySee, refuseSharing } from '../list-views/list-view-rules.ts';
import type { Db } from '../storage/open.ts';
import { overview } from './built-in.ts';
import {
  changeDashboard,
  countDashboards,
  deleteDashboard,
  findDashboard,
  insertDashboard,
  listDashboards,
  type StoredDashboard,
} from './queries.ts';

const MAX_DASHBOARDS = 100;
const RESOURCE = 'dashboard';

export const dashboardHandlers: Handlers<typeof dashboardRoutes> = {
  async listDashboards({ storage: { db } }, { caller }) {
    const stored = await listDashboards(db, caller.tenantId, caller.userId);
    const emails = await emailsOf(db, caller.tenantId, ownersOf(stored));
    const own = stored.map((one) => withoutWidgets(shown(one, caller, emails)));
    return { results: [withoutWidgets(builtIn), ...own] };
  },

  async getDashboard({ storage: { db } }, { caller, params: { dashboard_id } }) {
    if (dashboard_id === overview.id) return builtIn;
    return dashboardView(db, caller, await requireDashboard(db, caller, dashboard_id));
  },

  createDashboard(context, request) {
    const { caller, body } = request;
    const { tenantId: tenant_id, userId: owner_id } = caller;
    if (body.is_shared) refuseSharing(caller);
    const now = context.now();
    const dashboard: StoredDashboard = {
      id: context.newId('dsh'),
      tenant_id,
      owner_id,
      name: body.name,
      widgets: JSON.stringify(body.widgets),
      is_shared: body.is_shared ? 1 : 0,
      created_at: now,
      updated_at: now,
    };
    return withAudit(context, request, async (tx, audit) => {
      if ((await countDashboards(tx.db, tenant_id, owner_id)) >= MAX_DASHBOARDS)
        throw new ApiError(
          'count_limit_reached',
          `a user can save at most ${MAX_DASHBOARDS} dashboards: delete one`,
        );
      await insertDashboard(tx, dashboard);
      audit({ ...changeOf('create', dashboard.id), after: factsOf(dashboard) });
      return dashboardView(tx.db, caller, dashboard);
    });
  },

  updateDashboard(context, request) {
    const { caller, params, body } = request;
    return withAudit(context, request, async (tx, audit) => {
      const before = await requireChangeable(tx.db, caller, params.dashboard_id);
      if (body.is_shared && before.is_shared === 0) refuseSharing(caller);
      if (body.updated_at !== undefined && body.updated_at !== before.updated_at)
        throw new ApiError(
          'version_conflict',
          'the dashboard was changed since it was read: load it again',
        );
      const { name, widgets, is_shared } = body;
      const after: StoredDashboard = {
        ...before,
        ...(name !== undefined && { name }),
        ...(widgets !== undefined && { widgets: JSON.stringify(widgets) }),
        ...(is_shared !== undefined && { is_shared: is_shared ? 1 : 0 }),
        // Two changes within a millisecond must also differ.
        updated_at: Math.max(context.now(), before.updated_at + 1),
      };
      await changeDashboard(tx, after);
      const change = changeOf('update', after.id);
      audit({ ...change, before: factsOf(before), after: factsOf(after) });
      return dashboardView(tx.db, caller, after);
    });
  },

  deleteDashboard: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params } = request;
      const before = await requireChangeable(tx.db, caller, params.dashboard_id);
      await deleteDashboard(tx, caller.tenantId, before.id);
      audit({ ...changeOf('delete', before.id), before: factsOf(before) });
      return undefined;
    }),
};

const changeOf = (action: string, id: string) => ({
  action: `${RESOURCE}.${action}`,
  resource_type: RESOURCE,
  resource_id: id,
});

const storedWidgets = z.array(widget);
const widgetsOf = ({ widgets }: StoredDashboard): Widget[] =>
  storedWidgets.parse(JSON.parse(widgets));

const factsOf = (dashboard: StoredDashboard) => ({
  name: dashboard.name,
  is_shared: dashboard.is_shared === 1,
  widgets: widgetsOf(dashboard),
});

const builtIn = {
  id: overview.id,
  name: overview.name,
  widgets: [...overview.widgets],
  widget_count: overview.widgets.length,
  is_shared: 1,
  built_in: 1,
  owner: null,
  may_change: 0,
  updated_at: null,
};

function shown(
  dashboard: StoredDashboard,
  caller: SessionCaller,
  emails: ReadonlyMap<string, string>,
) {
  const widgets = widgetsOf(dashboard);
  return {
    id: dashboard.id,
    name: dashboard.name,
    widgets,
    widget_count: widgets.length,
    is_shared: dashboard.is_shared,
    built_in: 0,
    owner: emails.get(dashboard.owner_id) ?? null,
    may_change: mayChange(dashboard, caller) ? 1 : 0,
    updated_at: dashboard.updated_at,
  };
}

function withoutWidgets<D extends { widgets: unknown }>({ widgets: _widgets, ...summary }: D) {
  return summary;
}

const ownersOf = (dashboards: readonly StoredDashboard[]): string[] => [
  ...new Set(dashboards.map(({ owner_id }) => owner_id)),
];

async function dashboardView(db: Db, caller: SessionCaller, dashboard: StoredDashboard) {
  const emails = await emailsOf(db, caller.tenantId, ownersOf([dashboard]));
  return shown(dashboard, caller, emails);
}

/** @throws ApiError `not_found`, also for a private dashboard of another user */
async function requireDashboard(
  db: Db,
  caller: SessionCaller,
  id: string,
): Promise<StoredDashboard> {
  const dashboard = await findDashboard(db, caller.tenantId, id);
  if (!dashboard || !maySee(dashboard, caller))
    throw new ApiError('not_found', `there is no dashboard ${id}`);
  return dashboard;
}

/** @throws ApiError `not_found`, `missing_permission` */
async function requireChangeable(
  db: Db,
  caller: SessionCaller,
  id: string,
): Promise<StoredDashboard> {
  if (id === overview.id)
    throw new ApiError(
      'missing_permission',
      'a built-in dashboard cannot be changed: duplicate it',
    );
  const dashboard = await requireDashboard(db, caller, id);
  if (!mayChange(dashboard, caller))
    throw new ApiError(
      'missing_permission',
      'only the owner of a shared dashboard and administrators change it',
    );
  return dashboard;
}

import { ApiError } from '#contract/errors.ts';
import type { listViewRoutes, ViewedList } from '#contract/list-views.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import type { SessionCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';
import { mayChange, maySee, refuseSharing } from './list-view-rules.ts';
import {
  changeView,
  countViews,
  deleteView,
  emailsOf,
  findDefault,
  findView,
  insertView,
  listViews,
  putDefault,
  type View,
} from './queries.ts';

const MAX_VIEWS = 200;
const RESOURCE = 'list_view';

export const listViewHandlers: Handlers<typeof listViewRoutes> = {
  async listViews({ storage: { db } }, { caller, query: { list } }) {
    const views = await listViews(db, caller.tenantId, caller.userId, list);
    return { results: await shown(db, caller, list, views) };
  },

  createView(context, request) {
    const { caller, body } = request;
    const { tenantId: tenant_id, userId: owner_id } = caller;
    if (body.is_shared) refuseSharing(caller);
    const now = context.now();
    const stamp = { created_at: now, updated_at: now };
    const is_shared = body.is_shared ? 1 : 0;
    const view: View = {
      ...body,
      ...stamp,
      tenant_id,
      owner_id,
      is_shared,
      id: context.newId('lsv'),
    };
    return withAudit(context, request, async (tx, audit) => {
      if ((await countViews(tx.db, tenant_id, owner_id)) >= MAX_VIEWS)
        throw new ApiError(
          'count_limit_reached',
          `a user can save at most ${MAX_VIEWS} views: delete one`,
        );
      await insertView(tx, view);
      audit({ ...changeOf('create', view.id), after: factsOf(view) });
      return one(tx.db, caller, view);
    });
  },

  updateView(context, request) {
    const { caller, params, body } = request;
    return withAudit(context, request, async (tx, audit) => {
      const before = await requireChangeable(tx.db, caller, params.view_id);
      if (body.is_shared && before.is_shared === 0) refuseSharing(caller);
      const { name, query, columns, is_shared } = body;
      const after: View = {
        ...before,
        ...(name !== undefined && { name }),
        ...(query !== undefined && { query }),
        ...(columns !== undefined && { columns }),
        ...(is_shared !== undefined && { is_shared: is_shared ? 1 : 0 }),
        updated_at: context.now(),
      };
      await changeView(tx, after);
      const change = changeOf('update', after.id);
      audit({ ...change, before: factsOf(before), after: factsOf(after) });
      return one(tx.db, caller, after);
    });
  },

  deleteView: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params } = request;
      const before = await requireChangeable(tx.db, caller, params.view_id);
      await deleteView(tx, caller.tenantId, before.id);
      audit({ ...changeOf('delete', before.id), before: factsOf(before) });
      return undefined;
    }),

  setDefaultView: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params, body } = request;
      const { tenantId, userId } = caller;
      const { view_id: viewId } = body;
      const view = viewId === null ? null : await requireView(tx.db, caller, viewId);
      if (view && view.list !== params.list)
        throw new ApiError(
          'validation_error',
          `view_id: expected a view of the list ${params.list}`,
        );
      await putDefault(tx, tenantId, { userId, list: params.list, viewId });
      const change = changeOf('set_default', viewId ?? params.list);
      audit({ ...change, after: { list: params.list, view_id: viewId } });
      return undefined;
    }),
};

const changeOf = (action: string, id: string) => ({
  action: `${RESOURCE}.${action}`,
  resource_type: RESOURCE,
  resource_id: id,
});

const factsOf = ({ list, name, query, columns, is_shared }: View) => ({
  list,
  name,
  query,
  columns,
  is_shared: is_shared === 1,
});

/** @throws ApiError `not_found`, also for a private view of another user */
async function requireView(db: Db, caller: SessionCaller, id: string): Promise<View> {
  const view = await findView(db, caller.tenantId, id);
  if (!view || !maySee(view, caller)) throw new ApiError('not_found', `there is no view ${id}`);
  return view;
}

/** @throws ApiError `not_found`, `forbidden` */
async function requireChangeable(db: Db, caller: SessionCaller, id: string): Promise<View> {
  const view = await requireView(db, caller, id);
  if (!mayChange(view, caller))
    throw new ApiError(
      'missing_permission',
      'only the owner of a shared view and administrators change it',
    );
  return view;
}

async function shown(db: Db, caller: SessionCaller, list: string, views: readonly View[]) {
  const owners = [...new Set(views.map(({ owner_id }) => owner_id))];
  const emails = await emailsOf(db, caller.tenantId, owners);
  const first = await findDefault(db, caller.tenantId, caller.userId, list);
  return views.map((view) => ({
    ...view,
    list: view.list as ViewedList,
    is_default: view.id === first ? 1 : 0,
    owner: emails.get(view.owner_id) ?? null,
    may_change: mayChange(view, caller) ? 1 : 0,
  }));
}

async function one(db: Db, caller: SessionCaller, view: View) {
  const [only] = await shown(db, caller, view.list, [view]);
  if (!only) throw new Error('a view has no form for the wire');
  return only;
}

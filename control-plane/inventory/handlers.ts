import { ApiError } from '#contract/errors.ts';
import type { inventoryRoutes } from '#contract/inventory.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { countAppsOverTime, listApps } from './app-queries.ts';
import { inventoryExports } from './export-apps.ts';
import { countGroupsOverTime, listGroups } from './group-list-queries.ts';
import { findGroup } from './group-queries.ts';
import { lastKnownOf } from './last-known-line.ts';

export const inventoryHandlers: Handlers<typeof inventoryRoutes> = {
  ...inventoryExports,

  async listApps(context, { caller, query, url }) {
    const { rows, count, count_exact } = await listApps(
      context.storage.reader,
      caller.tenantId,
      query,
    );
    const apps = rows.map((row) => {
      const unseen = lastKnownOf(JSON.parse(row.evidence) as string[]);
      return {
        ...row,
        present: row.last_seen === row.scanned_at ? 1 : 0,
        last_seen: unseen?.seen_at ?? row.last_seen,
        last_known: unseen?.why ?? null,
      };
    });
    return { ...pageOf(url, query, { rows: apps, count }), count_exact };
  },

  summarizeApps: ({ storage: { reader } }, { caller, query: { by, ...filter } }) =>
    countAppsOverTime(reader, caller.tenantId, filter, by),

  summarizeAppGroups: ({ storage: { reader } }, { caller, query: { by, ...filter } }) =>
    countGroupsOverTime(reader, caller.tenantId, filter, by),

  async listAppGroups(context, { caller, query, url }) {
    return pageOf(url, query, await listGroups(context.storage.reader, caller.tenantId, query));
  },

  async getAppGroup(context, { caller, params }) {
    const group = await findGroup(context.storage.db, caller.tenantId, params.id);
    if (!group) throw new ApiError('not_found', `there is no app ${params.id}`);
    return group;
  },
};

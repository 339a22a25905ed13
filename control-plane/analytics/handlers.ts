import type { analyticsRoutes } from '#contract/analytics.ts';
import { ApiError } from '#contract/errors.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { listFile } from '../lib/list-file.ts';
import { runView } from '../runs/rules.ts';
import {
  exportedGroups,
  sessionBatches,
  sessionFields,
  userBatches,
  userFields,
} from './export-groups.ts';
import { countGroupsOverTime, findGroup, listGroups, listRunsOfGroup } from './group-queries.ts';
import { sessionView, trackedUserView, sortOf, totalsOf } from './group-rules.ts';
import { listModelDays, listModelsOfUser } from './model-queries.ts';
import { summarizeModels } from './model-rules.ts';
import { answerQuery } from './measures/answer.ts';
import { hoursOf } from './period.ts';

export const analyticsHandlers: Handlers<typeof analyticsRoutes> = {
  queryAnalytics: (context, { caller, body }) => answerQuery(context, caller, body),

  async listSessions({ storage: { reader } }, { caller, query, url }) {
    const filter = { ...query, sort: sortOf(query.sort) };
    const { rows, count } = await listGroups(reader, 'sessions', caller.tenantId, filter);
    return pageOf(url, query, { rows: rows.map(sessionView), count });
  },

  summarizeSessions: ({ storage: { reader } }, { caller, query }) =>
    countGroupsOverTime(reader, 'sessions', caller.tenantId, query),

  summarizeTrackedUsers: ({ storage: { reader } }, { caller, query }) =>
    countGroupsOverTime(reader, 'users', caller.tenantId, query),

  async exportSessions({ storage: { reader } }, { caller, query: { format, ...query } }) {
    const filter = { ...query, sort: sortOf(query.sort) };
    const rows = await exportedGroups(reader, 'sessions', caller.tenantId, filter);
    const name = 'sessions';
    return listFile({ format, name, fields: sessionFields, batches: sessionBatches(rows) });
  },

  async exportTrackedUsers({ storage: { reader } }, { caller, query: { format, ...query } }) {
    const filter = { ...query, sort: sortOf(query.sort) };
    const rows = await exportedGroups(reader, 'users', caller.tenantId, filter);
    const name = 'end-users';
    return listFile({ format, name, fields: userFields, batches: userBatches(rows) });
  },

  async getSession({ storage: { reader } }, { caller: { tenantId }, params, query }) {
    const { session_id } = params;
    const group = await findGroup(reader, 'sessions', tenantId, session_id);
    if (!group)
      throw new ApiError('not_found', `there is no session ${JSON.stringify(session_id)}`);
    const runs = await listRunsOfGroup(reader, 'sessions', tenantId, session_id, query);
    return { session_id, aggregates: totalsOf(group), runs: runs.map(runView) };
  },

  async listTrackedUsers({ storage: { reader } }, { caller, query, url }) {
    const filter = { ...query, sort: sortOf(query.sort) };
    const { rows, count } = await listGroups(reader, 'users', caller.tenantId, filter);
    return pageOf(url, query, { rows: rows.map(trackedUserView), count });
  },

  async getTrackedUser({ storage: { reader } }, { caller: { tenantId }, params, query }) {
    const { user_id } = params;
    const group = await findGroup(reader, 'users', tenantId, user_id);
    if (!group) throw new ApiError('not_found', `there is no user ${JSON.stringify(user_id)}`);
    const [cost_by_model, runs] = await Promise.all([
      listModelsOfUser(reader, tenantId, user_id),
      listRunsOfGroup(reader, 'users', tenantId, user_id, query),
    ]);
    const { user_id: _id, ...aggregates } = trackedUserView(group);
    return { user_id, aggregates, cost_by_model, runs: runs.map(runView) };
  },

  async getModelAnalytics(context, { caller, query: { period, agent } }) {
    const hours = hoursOf(period, context.now());
    const days = await listModelDays(context.storage.reader, caller.tenantId, agent, hours);
    return { period, ...summarizeModels(days) };
  },
};

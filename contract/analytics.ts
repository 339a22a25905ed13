import { z } from 'zod';
import { analyticsAnswer, analyticsQuery } from './analytics-query.ts';
import {
  count,
  page,
  paging,
  period,
  range,
  sortBy,
  startBeforeEnd,
  timestamp,
  wholeNumber,
} from './fields.ts';
import { downloads, exportFormat } from './filters.ts';
import { countsOverTime } from './over-time.ts';
import { routes } from './route.ts';
import { runSummary } from './runs.ts';

// Sums may exceed the limits of a single run or call.
const sum = z.number();

/** Totals of all runs of a session or a tracked user, regardless of filters. */
const totals = {
  run_count: count,
  error_count: count.meta({ description: 'runs with the status `error`' }),
  total_duration: sum.meta({ description: 'seconds, of completed runs' }),
  total_cost: sum.meta({ description: 'USD' }),
  total_tokens: sum,
  agents: z.array(z.string()),
};

export const runSession = z.object({
  session_id: z.string(),
  first_run: timestamp,
  last_activity: timestamp,
  ...totals,
});

export const trackedUser = z.object({
  user_id: z.string(),
  first_seen: timestamp,
  last_seen: timestamp,
  ...totals,
});

const runOfUser = runSummary.pick({
  id: true,
  agent_name: true,
  workflow_name: true,
  started_at: true,
  completed_at: true,
  duration: true,
  status: true,
  cost: true,
  tokens: true,
});
const runOfSession = runOfUser.extend({ trace_id: runSummary.shape.trace_id });

/** Pages the runs of a detail, newest first. `run_count` is the total number of runs. */
const runPaging = z.object({
  limit: wholeNumber(1)
    .prefault(100)
    .transform((limit) => Math.min(limit, 1000))
    .meta({ description: 'runs to return, at most 1,000' }),
  offset: paging.offset,
});

const filters = {
  search: z.string().optional().meta({ description: 'substring of the id, case-insensitive' }),
  agent: z.string().optional().meta({ description: 'only those with a run of this agent' }),
  ...range,
};

/** The times of a session, and those of an end user. */
export const sessionTimes = ['last_activity', 'first_run'] as const;
export const userTimes = ['last_seen', 'first_seen'] as const;
const [sessionTime, userTime] = [z.enum(sessionTimes), z.enum(userTimes)];

const ofTime = {
  description: 'the time that `start` and `end` are about; any activity by default',
};
const sessionFilters = { ...filters, time: sessionTime.optional().meta(ofTime) };
const userFilters = { ...filters, time: userTime.optional().meta(ofTime) };

const totalSorts = [
  'run_count',
  'error_count',
  'total_duration',
  'total_cost',
  'total_tokens',
] as const;

/** The fields by which lists of sessions and end users can be sorted. */
export const sessionSorts = ['last_activity', 'first_run', ...totalSorts] as const;
export const userSorts = ['last_seen', 'first_seen', ...totalSorts] as const;

const sessionSort = sortBy(sessionSorts, '-last_activity');
const userSort = sortBy(userSorts, '-last_seen');

/** The maximum number of sessions or users in one export. */
export const MAX_EXPORTED_GROUPS = 10_000;

const usage = { total_cost: sum, total_tokens: sum, total_calls: count };

export const modelAnalytics = z.object({
  period,
  aggregates: z.object(usage),
  model_totals: z.array(
    z.object({
      model: z.string(),
      ...usage,
      percentage: z.number().meta({ description: 'of the total cost, 0 to 100; 0 without costs' }),
    }),
  ),
  time_series: z.array(
    z.object({
      date: z.iso.date().meta({ description: 'UTC day; days without calls are omitted' }),
      model: z.string(),
      cost: sum,
      tokens: sum,
      calls: count,
    }),
  ),
});

const session = { auth: 'session', role: 'viewer', errors: 'text', method: 'GET' } as const;

export const analyticsRoutes = routes({
  queryAnalytics: {
    auth: 'session',
    role: 'viewer',
    errors: 'text',
    method: 'POST',
    path: '/api/v1/observability/analytics/query/',
    summary: 'Compute a measure over a period, by group and by interval; changes nothing',
    body: analyticsQuery,
    response: analyticsAnswer,
  },
  listSessions: {
    ...session,
    path: '/api/v1/observability/sessions/',
    summary:
      'List sessions; filters match sessions with any run of the agent, or active in the time range',
    query: z.object({ ...paging, ...sessionFilters, sort: sessionSort }).check(startBeforeEnd),
    response: page(runSession),
  },
  // This route and the export are not below the path of sessions, because a session can have any
  // id.
  summarizeSessions: {
    ...session,
    path: '/api/v1/observability/summaries/sessions/',
    summary: 'Number of the sessions that a filter matches, by their first run or last activity',
    query: z
      .object({ ...sessionFilters, by: sessionTime.default('last_activity') })
      .check(startBeforeEnd),
    response: countsOverTime('sessions'),
  },
  exportSessions: {
    ...session,
    path: '/api/v1/observability/exports/sessions/',
    summary: `Download the sessions that a filter matches, at most ${MAX_EXPORTED_GROUPS}`,
    query: z
      .object({ ...sessionFilters, sort: sessionSort, format: exportFormat })
      .check(startBeforeEnd),
    response: z.string(),
    downloads,
  },
  getSession: {
    ...session,
    path: '/api/v1/observability/sessions/{session_id}/',
    summary: 'One session with its runs, newest first',
    params: z.object({ session_id: z.string() }),
    query: runPaging,
    response: z.object({
      session_id: z.string(),
      aggregates: z.object(totals),
      runs: z.array(runOfSession),
    }),
  },
  listTrackedUsers: {
    ...session,
    path: '/api/v1/observability/users/',
    summary:
      'List tracked end users; filters match users with any run of the agent, or active in the time range',
    query: z.object({ ...paging, ...userFilters, sort: userSort }).check(startBeforeEnd),
    response: page(trackedUser),
  },
  summarizeTrackedUsers: {
    ...session,
    path: '/api/v1/observability/summaries/users/',
    summary:
      'Number of the tracked end users that a filter matches, by when they were seen first or last',
    query: z.object({ ...userFilters, by: userTime.default('last_seen') }).check(startBeforeEnd),
    response: countsOverTime('end users'),
  },
  exportTrackedUsers: {
    ...session,
    path: '/api/v1/observability/exports/users/',
    summary: `Download the end users that a filter matches, at most ${MAX_EXPORTED_GROUPS}`,
    query: z.object({ ...userFilters, sort: userSort, format: exportFormat }).check(startBeforeEnd),
    response: z.string(),
    downloads,
  },
  getTrackedUser: {
    ...session,
    path: '/api/v1/observability/users/{user_id}/',
    summary: 'One tracked end user with costs by model and runs, newest first',
    params: z.object({ user_id: z.string() }),
    query: runPaging,
    response: z.object({
      user_id: z.string(),
      aggregates: trackedUser.omit({ user_id: true }),
      cost_by_model: z.array(
        z.object({ model: z.string(), total_cost: sum, total_tokens: sum, call_count: count }),
      ),
      runs: z.array(runOfUser),
    }),
  },
  getModelAnalytics: {
    ...session,
    path: '/api/v1/observability/analytics/models/',
    summary: 'Model usage over a period that ends now and starts at a full hour',
    query: z.object({
      period: period.default('7d'),
      agent: z.string().optional().meta({ description: 'only this agent' }),
    }),
    response: modelAnalytics,
  },
});

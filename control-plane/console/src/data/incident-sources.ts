import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor, MAX_PAGE_SIZE } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = typeof contract;
type EvaluationQuery = RouteRequest<Routes['evaluations']['listEvaluations']>['query'];
type IncidentQuery = RouteRequest<Routes['incidents']['listIncidents']>['query'];

export type Evaluation = RouteResponse<Routes['evaluations']['listEvaluations']>['results'][number];
export type Incident = RouteResponse<Routes['incidents']['listIncidents']>['results'][number];
export type IncidentFilter = Omit<IncidentQuery, 'start' | 'end'>;
type GroupQuery = RouteRequest<Routes['incidents']['listIncidentGroups']>['query'];
export type IncidentGroups = RouteResponse<Routes['incidents']['listIncidentGroups']>;
export type IncidentGroup = IncidentGroups['results'][number];
export type GroupSort = NonNullable<GroupQuery['sort']>;
export type IncidentChanges = RouteRequest<
  Routes['incidents']['updateIncidents']
>['body']['changes'];
export type Assignee = RouteResponse<Routes['incidents']['listAssignees']>['results'][number];
export type IncidentStatus = Incident['status'];

/** Polled, because results of policy checks before a run are not sent over the live channel. */
const polled = { topics: ['runs', 'inventory'], throttleMs: 1000, pollMs: 15_000 } as const;

export const evaluationList = (
  filter: Omit<EvaluationQuery, 'start' | 'end'>,
  range: TimeRange = {},
): Source<LoadedList<Evaluation>> => ({
  ...polled,
  key: keyFor('evaluations', filter, range),
  ...(filter.run_id !== undefined && { run: filter.run_id }),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.evaluations.listEvaluations({ query }, { signal });
  },
});

export const incidentList = (
  filter: IncidentFilter,
  range: TimeRange = {},
): Source<LoadedList<Incident>> => ({
  ...polled,
  key: keyFor('incidents', filter, range),
  ...(filter.run_id !== undefined && { run: filter.run_id }),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.incidents.listIncidents({ query }, { signal });
  },
});

/** The filter without paging and sort order, shared by groups and bulk changes. */
export type TriageFilter = Omit<
  GroupQuery,
  'start' | 'end' | 'limit' | 'offset' | 'sort' | 'group'
>;

export const incidentGroups = (
  query: Omit<GroupQuery, 'start' | 'end'>,
  range: TimeRange = {},
): Source<IncidentGroups> => ({
  ...polled,
  key: keyFor('incident groups', query, range),
  load: (signal) =>
    api.incidents.listIncidentGroups(
      { query: { ...query, ...queryOf(range, Date.now()) } },
      { signal },
    ),
});

export const assignees = (): Source<Assignee[]> => ({
  topics: [],
  key: 'assignees',
  load: async (signal) => (await api.incidents.listAssignees(undefined, { signal })).results,
});

/** Number of open incidents. */
export const openIncidents = (): Source<number> => ({
  ...polled,
  key: 'open incidents',
  load: async (signal) => {
    const query = { status: 'open', limit: 1 } as const;
    return (await api.incidents.listIncidents({ query }, { signal })).count;
  },
});

export const incidentDetail = (id: string): Source<Incident> => ({
  ...polled,
  key: keyFor('incident', id),
  load: (signal) => api.incidents.getIncident({ params: { id } }, { signal }),
});

/** One evaluation of a run; undefined if it has been deleted. */
export const evaluationOfRun = (run_id: string, id: string): Source<Evaluation | undefined> => ({
  key: keyFor('evaluation', run_id, id),
  topics: [],
  async load(signal) {
    for (let offset = 0; ; offset += MAX_PAGE_SIZE) {
      const query = { run_id, limit: MAX_PAGE_SIZE, offset };
      const { results } = await api.evaluations.listEvaluations({ query }, { signal });
      const found = results.find((one) => one.id === id);
      if (found || results.length < MAX_PAGE_SIZE) return found;
    }
  },
});

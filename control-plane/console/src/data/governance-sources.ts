import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './many.ts';
import type { Many } from './many.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['governance'];
type EvaluationQuery = RouteRequest<Routes['listEvaluations']>['query'];
type IncidentQuery = RouteRequest<Routes['listIncidents']>['query'];

export type Evaluation = RouteResponse<Routes['listEvaluations']>['results'][number];
export type Incident = RouteResponse<Routes['listIncidents']>['results'][number];
export type IncidentFilter = Omit<IncidentQuery, 'start' | 'end'>;
export type IncidentStatus = Incident['status'];

/** Polled, because pre-run policy checks are not sent over the live channel. */
const polled = { topics: ['runs', 'inventory'], throttleMs: 1000, pollMs: 15_000 } as const;

export const evaluationList = (
  filter: Omit<EvaluationQuery, 'start' | 'end'>,
  range: TimeRange = {},
): Source<Many<Evaluation>> => ({
  ...polled,
  key: keyFor('evaluations', filter, range),
  ...(filter.run_id !== undefined && { run: filter.run_id }),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.governance.listEvaluations({ query }, { signal });
  },
});

export const incidentList = (
  filter: IncidentFilter,
  range: TimeRange = {},
): Source<Many<Incident>> => ({
  ...polled,
  key: keyFor('incidents', filter, range),
  ...(filter.run_id !== undefined && { run: filter.run_id }),
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.governance.listIncidents({ query }, { signal });
  },
});

/** Number of open incidents. */
export const openIncidents = (): Source<number> => ({
  ...polled,
  key: 'open incidents',
  load: async (signal) => {
    const query = { status: 'open', limit: 1 } as const;
    return (await api.governance.listIncidents({ query }, { signal })).count;
  },
});

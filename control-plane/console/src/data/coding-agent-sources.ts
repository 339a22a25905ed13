import type { CodingWork } from '#contract/coding-agents.ts';
import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Route = (typeof contract)['codingAgents']['getCodingWork'];

export type { CodingWork };
export type CodingReport = RouteResponse<Route>;
export type CodingAgentName = NonNullable<RouteRequest<Route>['query']['agent']>;

export const codingReport = (
  range: TimeRange,
  agent: CodingAgentName | undefined,
): Source<CodingReport> => ({
  topics: ['runs'],
  throttleMs: 5000,
  key: keyFor('coding agents', range, agent),
  load: (signal) => {
    const query = { ...queryOf(range, Date.now()), ...(agent && { agent }) };
    return api.codingAgents.getCodingWork({ query }, { signal });
  },
});

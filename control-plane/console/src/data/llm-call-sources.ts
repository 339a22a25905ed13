import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['llmCalls'];
type Query = RouteRequest<Routes['listLlmCalls']>['query'];

export type LlmCallList = RouteResponse<Routes['listLlmCalls']>;
export type LlmCallTotals = RouteResponse<Routes['summarizeLlmCalls']>;
export type LlmCall = LlmCallList['results'][number];
export type LlmCallDetail = RouteResponse<Routes['getLlmCall']>;
export type LlmCallSort = NonNullable<Query['sort']>;
export type LlmCallFilter = Omit<Query, 'start' | 'end'>;

export const llmCallList = (filter: LlmCallFilter, range: TimeRange): Source<LlmCallList> => ({
  key: keyFor('llm calls', filter, range),
  topics: ['runs'],
  throttleMs: 2000,
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.llmCalls.listLlmCalls({ query }, { signal });
  },
});

/**
 * Totals of LLM calls over time. The request reads every call that matches, so refetches are
 * throttled.
 */
export const llmCallTotals = (
  { sort: _sort, ...filter }: LlmCallFilter,
  range: TimeRange,
): Source<LlmCallTotals> => ({
  key: keyFor('llm call totals', filter, range),
  topics: ['runs'],
  throttleMs: 5000,
  load: (signal) => {
    const query = { ...filter, ...queryOf(range, Date.now()) };
    return api.llmCalls.summarizeLlmCalls({ query }, { signal });
  },
});

export const llmCallModels = (): Source<string[]> => ({
  key: 'llm call models',
  topics: ['runs'],
  throttleMs: 10_000,
  load: async (signal) => (await api.llmCalls.listLlmCallModels(undefined, { signal })).models,
});

/** A call with its full texts. Immutable, except for its cost when costs are recomputed. */
export const llmCallDetail = (call_id: string): Source<LlmCallDetail> => ({
  key: keyFor('llm call', call_id),
  topics: [],
  load: (signal) => api.llmCalls.getLlmCall({ params: { call_id } }, { signal }),
});

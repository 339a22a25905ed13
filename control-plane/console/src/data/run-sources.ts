import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor, loadPages, MAX_PAGE_SIZE } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['runs'];

export type RunSummary = RouteResponse<Routes['listRuns']>['results'][number];
export type ScoreSummary = RunSummary['score_summaries'][number];
export type RunStatus = RunSummary['status'];
export type Run = RouteResponse<Routes['getRun']>;
export type RunLlmCall = Run['llm_calls'][number];
export type Step = Run['steps'][number];
export type StepDetail = RouteResponse<Routes['getStep']>;
export type Span = Run['spans'][number];
export type SpanDetail = RouteResponse<Routes['getSpan']>;
export type Score = Run['scores'][number];

export type RunQuery = RouteRequest<Routes['listRuns']>['query'];
export type RunFilter = RouteRequest<Routes['summarizeRuns']>['query'];
export type RunSort = NonNullable<RunQuery['sort']>;
export type RunTotals = RouteResponse<Routes['summarizeRuns']>;
export type RunList = RouteResponse<Routes['listRuns']>;

export const runList = (query: RunQuery, range: TimeRange = {}): Source<RunList> => ({
  key: keyFor('runs', query, range),
  topics: ['runs'],
  load: (signal) =>
    api.runs.listRuns({ query: { ...query, ...queryOf(range, Date.now()) } }, { signal }),
});

/** Totals of runs. The request reads every run that matches, so refetches are throttled. */
export const runTotals = (filter: RunFilter, range: TimeRange): Source<RunTotals> => ({
  key: keyFor('run totals', filter, range),
  topics: ['runs'],
  throttleMs: 5000,
  load: (signal) =>
    api.runs.summarizeRuns({ query: { ...filter, ...queryOf(range, Date.now()) } }, { signal }),
});

export const runDetail = (id: string): Source<Run> => ({
  key: keyFor('run', id),
  topics: ['runs'],
  run: id,
  load: (signal) => api.runs.getRun({ params: { id } }, { signal }),
});

export const stepDetail = (id: string, step_id: string): Source<StepDetail> => ({
  key: keyFor('step', id, step_id),
  topics: [],
  load: (signal) => api.runs.getStep({ params: { id, step_id } }, { signal }),
});

export const spanDetail = (id: string, span_id: string): Source<SpanDetail> => ({
  key: keyFor('span', id, span_id),
  topics: [],
  load: (signal) => api.runs.getSpan({ params: { id, span_id } }, { signal }),
});

interface Page {
  limit: number;
  offset: number;
}
type Paging = [request: { params: { id: string }; query: Page }, options: { signal: AbortSignal }];
type Paged<T> = (...paging: Paging) => Promise<LoadedList<T>>;

/** Loads items up to index `to`, except the first hundred, which are part of the run's detail. */
const remaining =
  <T>(kind: string, list: Paged<T>, keyOf?: (item: T) => string) =>
  (id: string) =>
  (to: number): Source<T[]> => ({
    key: keyFor(kind, id, to),
    topics: ['runs'],
    run: id,
    throttleMs: 2000,
    load: async (signal) => {
      const load = (query: Page) => list({ params: { id }, query }, { signal });
      const range = { from: MAX_PAGE_SIZE, to, load, ...(keyOf && { keyOf }) };
      return (await loadPages(range)).results;
    },
  });

/**
 * Drops attributes, inputs and outputs, because a browser cannot hold them for tens of thousands of
 * spans.
 */
async function listBareSpans(...paging: Paging): Promise<LoadedList<Span>> {
  const page = await api.runs.listRunSpans(...paging);
  const noContent = { attributes: null, input_data: null, output_data: null, truncated: true };
  return { ...page, results: page.results.map((span) => ({ ...span, ...noContent })) };
}

const idOf = ({ id }: { id: number | string }) => String(id);

export const remainingCalls = remaining('run calls', api.runs.listRunLlmCalls, idOf);
export const remainingSteps = remaining('run steps', api.runs.listRunSteps, idOf);
export const remainingSpans = remaining('run spans', listBareSpans, idOf);
export const remainingScores = remaining('run scores', api.runs.listRunScores, idOf);

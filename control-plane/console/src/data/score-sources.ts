import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { queryOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['scores'];

export type ScoreList = RouteResponse<Routes['listScores']>;
export type ListedScore = ScoreList['results'][number];
export type ScoreDetail = RouteResponse<Routes['getScore']>;
export type ScoreTotals = RouteResponse<Routes['summarizeScores']>;
export type ScoreQuery = RouteRequest<Routes['listScores']>['query'];
export type ScoreFilter = RouteRequest<Routes['summarizeScores']>['query'];
export type ScoreSort = NonNullable<ScoreQuery['sort']>;

export const scoreList = (query: ScoreQuery, range: TimeRange): Source<ScoreList> => ({
  key: keyFor('scores', query, range),
  topics: ['runs'],
  throttleMs: 2000,
  load: (signal) =>
    api.scores.listScores({ query: { ...query, ...queryOf(range, Date.now()) } }, { signal }),
});

/** Totals of scores. The request reads every score that matches, so refetches are throttled. */
export const scoreTotals = (filter: ScoreFilter, range: TimeRange): Source<ScoreTotals> => ({
  key: keyFor('score totals', filter, range),
  topics: ['runs'],
  throttleMs: 5000,
  load: (signal) =>
    api.scores.summarizeScores({ query: { ...filter, ...queryOf(range, Date.now()) } }, { signal }),
});

/** The names of all scores. */
export const scoreNames = (): Source<string[]> => ({
  key: 'score names',
  topics: ['runs'],
  throttleMs: 10_000,
  load: async (signal) =>
    (await api.scores.listScores({ query: { limit: 1 } }, { signal })).aggregates.score_names,
});

export const scoreDetail = (score_id: string): Source<ScoreDetail> => ({
  key: keyFor('score', score_id),
  topics: [],
  load: (signal) => api.scores.getScore({ params: { score_id } }, { signal }),
});

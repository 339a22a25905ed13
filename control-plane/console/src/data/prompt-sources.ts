import type { contract } from '#contract/index.ts';
import type { RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['prompts'];

export type PromptSummary = RouteResponse<Routes['listPrompts']>['results'][number];
export type Prompt = RouteResponse<Routes['getPrompt']>;
export type PromptVersion = Prompt['versions'][number];
export type PromptVersionDetail = RouteResponse<Routes['getPromptVersion']>;
export type PromptContent = PromptVersionDetail['content'];
export type ChatMessage = Exclude<PromptContent, string>[number];
export type PromptMetrics = RouteResponse<Routes['getPromptMetrics']>;
export type PromptPerformance = RouteResponse<Routes['getPromptPerformance']>;
export type VersionPerformance = PromptPerformance['versions'][number];
export type Figures = VersionPerformance['points'][number];
export type LabelMoves = RouteResponse<Routes['listPromptLabelMoves']>;
export type LabelMove = LabelMoves['results'][number];

/** Prompts are not sent over the live channel: pages refetch them after an edit. */
const noTopics = { topics: [] } as const;

export const promptList = (): Source<PromptSummary[]> => ({
  ...noTopics,
  key: 'prompts',
  load: async (signal) => (await api.prompts.listPrompts(undefined, { signal })).results,
});

export const promptDetail = (prompt_id: string): Source<Prompt> => ({
  ...noTopics,
  key: keyFor('prompt', prompt_id),
  load: (signal) => api.prompts.getPrompt({ params: { prompt_id } }, { signal }),
});

/** One version of a prompt. Versions are immutable, except for their labels. */
export const promptVersion = (prompt_id: string, version: number): Source<PromptVersionDetail> => ({
  ...noTopics,
  key: keyFor('prompt version', prompt_id, version),
  load: (signal) => {
    const params = { prompt_id, version_num: String(version) };
    return api.prompts.getPromptVersion({ params }, { signal });
  },
});

export const promptMetrics = (prompt_id: string): Source<PromptMetrics> => ({
  topics: ['runs'],
  throttleMs: 2000,
  key: keyFor('prompt metrics', prompt_id),
  load: (signal) => api.prompts.getPromptMetrics({ params: { prompt_id } }, { signal }),
});

export const promptPerformance = (
  prompt_id: string,
  period: PromptPerformance['period'],
): Source<PromptPerformance> => ({
  topics: ['runs'],
  throttleMs: 5000,
  key: keyFor('prompt performance', prompt_id, period),
  load: (signal) =>
    api.prompts.getPromptPerformance({ params: { prompt_id }, query: { period } }, { signal }),
});

export const labelMoves = (
  prompt_id: string,
  paging: { limit: number; offset: number },
): Source<LabelMoves> => ({
  ...noTopics,
  key: keyFor('label moves', prompt_id, paging),
  load: (signal) =>
    api.prompts.listPromptLabelMoves({ params: { prompt_id }, query: paging }, { signal }),
});

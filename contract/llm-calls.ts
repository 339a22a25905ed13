import { z } from 'zod';
import {
  count,
  idParam,
  jsonOf,
  page,
  paging,
  range,
  searchLag,
  sortBy,
  startBeforeEnd,
  timestamp,
} from './fields.ts';
import {
  decimalParam,
  downloads,
  exportFormat,
  inOrder,
  MAX_EXPORTED,
  repeatable,
  wholeParam,
} from './filters.ts';
import { routes } from './route.ts';
import { llmCallRecord, toolCallRecord } from './runs.ts';

/**
 * The approximate number of latest matches that a search covers if it filters or sorts by duration,
 * because the search index contains no durations. The matches pass the search's other filters.
 */
export const MAX_MATCHES_WITH_DURATION = 50_000;

const filters = {
  search: z
    .string()
    .max(1000)
    .optional()
    .meta({
      description:
        'full text search in model, task and previews, ignoring case and accents: ' +
        'words, "phrases" and prefixes*, which must all match',
    }),
  model: repeatable.meta({ description: 'any of these models' }),
  agent: z.string().optional(),
  prompt: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'id of a prompt: the calls with the content of any of its versions' }),
  prompt_version: wholeParam.meta({ description: 'only this version of `prompt`' }),
  min_cost: decimalParam.meta({ description: 'USD' }),
  max_cost: decimalParam.meta({ description: 'USD' }),
  min_tokens: wholeParam.meta({ description: 'total tokens' }),
  max_tokens: wholeParam.meta({ description: 'total tokens' }),
  min_duration_ms: wholeParam.meta({ description: 'matches only calls with a known duration' }),
  max_duration_ms: wholeParam.meta({ description: 'matches only calls with a known duration' }),
  ...range,
};

/** The fields by which LLM calls can be sorted. */
export const llmCallSorts = ['created_at', 'cost', 'total_tokens', 'duration_ms', 'model'] as const;

const sort = sortBy(llmCallSorts, '-created_at').meta({
  description: '`duration_ms`: calls of unknown duration count as the shortest',
});

const versionOfPrompt = z.refine<{
  prompt?: string | undefined;
  prompt_version?: number | undefined;
}>(({ prompt, prompt_version }) => prompt_version === undefined || Boolean(prompt), {
  path: ['prompt_version'],
  error: 'expected `prompt`, too',
});

const checks = [
  startBeforeEnd,
  inOrder('cost'),
  inOrder('tokens'),
  inOrder('duration_ms'),
  versionOfPrompt,
] as const;

const cutByDuration = `or if more than ${MAX_MATCHES_WITH_DURATION.toLocaleString('en')} calls match to be filtered or sorted by duration`;

const session = { auth: 'session', role: 'viewer', errors: 'text', method: 'GET' } as const;

export const llmCallRoutes = routes({
  listLlmCalls: {
    ...session,
    path: '/api/v1/observability/llm-calls/',
    summary: 'List LLM calls with their totals; texts are cut to 200 characters',
    query: z.object({ ...paging, ...filters, sort }).check(...checks),
    response: page(llmCallRecord).extend({
      aggregates: z.object({
        total_cost: z.number().meta({ description: 'USD' }),
        total_tokens: z.number(),
        total_calls: count,
        models_used: z.array(z.string()),
      }),
      incomplete: z.boolean().meta({
        description:
          'true if the search index is not up to date: `count` and `aggregates` then cover ' +
          `only indexed calls, and matching calls may be missing; ${cutByDuration}`,
      }),
      search_lag: searchLag.nullable().meta({
        description: 'calls not indexed yet if the search is incomplete; null otherwise',
      }),
    }),
  },
  // These routes must precede the detail route, whose path also matches.
  summarizeLlmCalls: {
    ...session,
    path: '/api/v1/observability/llm-calls/summary/',
    summary: 'Number, cost and tokens of the LLM calls that a filter matches, over time',
    query: z.object(filters).check(...checks),
    response: z.object({
      bucket_seconds: count.meta({ description: 'length of a bucket; 0 without calls' }),
      buckets: z
        .array(
          z.object({
            start: timestamp,
            calls: count,
            cost: z.number().meta({ description: 'USD' }),
            tokens: z.number(),
          }),
        )
        .meta({ description: 'in order of time; those without calls are omitted' }),
      incomplete: z.boolean().meta({
        description: `true if the search index is not up to date: calls may be missing; ${cutByDuration}`,
      }),
    }),
  },
  exportLlmCalls: {
    ...session,
    path: '/api/v1/observability/llm-calls/export/',
    summary: `Download the LLM calls that a filter matches, at most ${MAX_EXPORTED.toLocaleString('en')}; texts are cut to 200 characters`,
    query: z.object({ ...filters, sort, format: exportFormat }).check(...checks),
    response: z.string(),
    downloads,
  },
  listLlmCallModels: {
    ...session,
    path: '/api/v1/observability/llm-calls/models/',
    summary: 'List the models that were called',
    response: z.object({ models: z.array(z.string()) }),
  },
  getLlmCall: {
    ...session,
    path: '/api/v1/observability/llm-calls/{call_id}/',
    summary: 'One LLM call with its full texts',
    params: z.object({ call_id: idParam }),
    response: llmCallRecord.extend({
      response_id: z.string().nullable().meta({ description: "the provider's response id" }),
      tool_calls: jsonOf(z.array(toolCallRecord))
        .nullable()
        .meta({ description: 'tools requested by the response' }),
    }),
  },
});

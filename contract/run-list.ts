import { z } from 'zod';
import {
  count,
  jsonStrings,
  page,
  paging,
  range,
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
import { actions } from './policy-actions.ts';
import { routes } from './route.ts';

export const runStatus = z.enum(['running', 'success', 'error']);

export const runSummary = z.object({
  id: z.int(),
  agent_name: z.string(),
  workflow_name: z.string(),
  trace_id: z.string().nullable(),
  session_id: z.string().nullable(),
  user_id: z.string().nullable(),
  status: runStatus,
  started_at: timestamp,
  completed_at: timestamp.nullable(),
  duration: z.number().nullable().meta({ description: 'seconds; null while running' }),
  llm_call_count: count,
  // Sums may exceed the limit of a single call.
  tokens: z.number().min(0),
  cost: z.number().meta({ description: 'USD' }),
});

/** The scores of a run that have the same name. */
const scoreSummary = z.object({
  name: z.string(),
  count,
  average: z
    .number()
    .nullable()
    .meta({ description: 'average of the numeric scores; null without any' }),
  value: z
    .string()
    .nullable()
    .meta({ description: 'the latest category, or `true` or `false`; null without any' }),
});

/** The maximum number of score names in a summary. Further names are left out. */
export const MAX_SCORE_NAMES = 100;

/** The results of policies and scores for a run. */
export const runFindings = {
  error_count: count.meta({ description: 'failed spans, and one more if the run itself failed' }),
  verdict: z
    .enum(actions)
    .nullable()
    .meta({ description: 'the strictest action of its policy verdicts; null without one' }),
  score_summaries: z
    .array(scoreSummary)
    .meta({ description: `by name, of at most ${MAX_SCORE_NAMES} names` }),
};

const listedRun = runSummary.extend({
  ...runFindings,
  error: z.string().nullable().meta({ description: 'cut to 200 characters' }),
  tags: jsonStrings,
});

/** The fields by which runs can be sorted. */
export const runSorts = [
  'started_at',
  'duration',
  'cost',
  'tokens',
  'llm_calls',
  'errors',
] as const;

const filters = {
  search: z.string().max(1000).optional().meta({
    description:
      'runs with an LLM call that matches: words, "phrases" and prefixes*, which must all match',
  }),
  agent: z.string().optional(),
  workflow: z.string().optional(),
  status: runStatus.optional(),
  user: z.string().optional().meta({ description: 'user_id' }),
  session: z.string().optional().meta({ description: 'session_id' }),
  team: z.string().optional().meta({ description: 'user_group' }),
  api_key: z.string().optional().meta({ description: 'id of the API key that recorded the run' }),
  model: repeatable.meta({ description: 'runs with a call of any of these models' }),
  tag: repeatable.meta({ description: 'runs with all of these tags' }),
  environment: z.string().optional().meta({ description: 'metadata.environment' }),
  version: z.string().optional().meta({ description: 'metadata.service_version' }),
  has_error: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'whether the run or one of its spans failed' }),
  verdict: z
    .enum(actions)
    .optional()
    .meta({ description: 'runs whose strictest policy verdict has this action' }),
  score: z.string().max(200).optional().meta({ description: 'runs with a score of this name' }),
  score_value: z.string().max(200).optional().meta({
    description: 'runs with this category, or `true` or `false`, as a value of `score`',
  }),
  min_score: decimalParam.meta({ description: 'for the average of `score` in a run' }),
  max_score: decimalParam.meta({ description: 'for the average of `score` in a run' }),
  min_cost: decimalParam.meta({ description: 'USD' }),
  max_cost: decimalParam.meta({ description: 'USD' }),
  min_duration: decimalParam.meta({ description: 'seconds, of completed runs' }),
  max_duration: decimalParam.meta({ description: 'seconds, of completed runs' }),
  min_tokens: wholeParam,
  max_tokens: wholeParam,
  ...range,
};

const scoreFilters = ['score_value', 'min_score', 'max_score'] as const;

type ScoreFilters = Partial<Record<(typeof scoreFilters)[number] | 'score', unknown>>;

const withScoreName = z.refine<ScoreFilters>(
  (filter: ScoreFilters) =>
    Boolean(filter.score) || scoreFilters.every((name) => filter[name] === undefined),
  {
    path: ['score'],
    error: `expected the name of a score, to filter by ${scoreFilters.join(', ')}`,
  },
);

const checks = [
  startBeforeEnd,
  inOrder('cost'),
  inOrder('duration'),
  inOrder('tokens'),
  inOrder('score'),
  withScoreName,
] as const;

const incomplete = z.boolean().meta({
  description:
    'true if a search covers only a part: its index is not up to date, or it matches too many calls',
});

const session = { auth: 'session', role: 'viewer', errors: 'text', method: 'GET' } as const;

/** Routes with the same filters, which select the same runs. */
export const runListRoutes = routes({
  listRuns: {
    ...session,
    path: '/api/v1/observability/runs/',
    summary: 'List runs, newest first by default',
    query: z
      .object({ ...paging, ...filters, sort: sortBy(runSorts, '-started_at') })
      .check(...checks),
    response: page(listedRun).extend({ incomplete }),
  },
  summarizeRuns: {
    ...session,
    path: '/api/v1/observability/runs/summary/',
    summary: 'Totals of the runs that a filter matches, and their number over time',
    query: z.object(filters).check(...checks),
    response: z.object({
      count,
      error_count: count.meta({ description: 'runs with the status `error`' }),
      total_tokens: z.number(),
      total_cost: z.number().meta({ description: 'USD' }),
      total_duration: z.number().meta({ description: 'seconds, of completed runs' }),
      bucket_seconds: count.meta({ description: 'length of a bucket; 0 without runs' }),
      buckets: z
        .array(
          z.object({
            start: timestamp,
            runs: count,
            errors: count,
            cost: z.number().meta({ description: 'USD' }),
            tokens: z.number(),
          }),
        )
        .meta({ description: 'in order of time; those without runs are omitted' }),
      incomplete,
    }),
  },
  exportRuns: {
    ...session,
    path: '/api/v1/observability/runs/export/',
    summary: `Download the runs that a filter matches, at most ${MAX_EXPORTED.toLocaleString('en')}`,
    query: z
      .object({ ...filters, sort: sortBy(runSorts, '-started_at'), format: exportFormat })
      .check(...checks),
    response: z.string(),
    downloads,
  },
});

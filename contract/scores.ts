import { z } from 'zod';
import {
  count,
  jsonObject,
  page,
  paging,
  period,
  range,
  sortBy,
  startBeforeEnd,
  timestamp,
  truncated,
  wholeNumber,
} from './fields.ts';
import { decimalParam, downloads, exportFormat, inOrder, MAX_EXPORTED } from './filters.ts';
import { scoreType } from './recording.ts';
import { routes } from './route.ts';

const scoreSource = z.enum(['manual', 'sdk', 'evaluator']);

/** Ids of runs and LLM calls are integers in requests, and text in responses. */
const idFilter = wholeNumber(1).optional();
const idField = z.int().min(1).optional();

/** The limit is far beyond any real score, and sums of any number of scores stay finite. */
const number = z.number().min(-1e15).max(1e15);
const name = z.string().min(1).max(200);

const identified = {
  id: z.string(),
  name: z.string(),
  data_type: scoreType,
  source: scoreSource,
  numeric_value: z.number().nullable(),
  string_value: z.string().nullable().meta({ description: '"true" or "false" for boolean' }),
  run_id: z.string(),
  llm_call_id: z.string().nullable(),
  created_at: timestamp,
};

export const storedScore = z.object({
  ...identified,
  comment: z.string().nullable(),
  metadata: jsonObject,
  author_user_id: z.string().meta({ description: 'empty if the score is not from a user' }),
  evaluator_id: z.string().nullable(),
  evaluator_name: z.string().nullable(),
  run_agent_name: z.string(),
  llm_call_model: z.string().nullable(),
});

export const listedScore = storedScore.extend({
  truncated: truncated('the comment is cut to 200 characters, or the metadata omitted'),
});

const valueTypes = { numeric: 'number', categorical: 'string', boolean: 'boolean' } as const;

export const newScore = z
  .strictObject({
    name,
    run_id: idField,
    llm_call_id: idField.meta({ description: 'a score on a call also counts for its run' }),
    data_type: scoreType.default('numeric'),
    value: z
      .union([number, name, z.boolean()], {
        error: `expected a number between -1e15 and 1e15, a text of 1 to 200 characters or a boolean`,
      })
      .meta({ description: 'number for numeric, string for categorical, boolean for boolean' }),
    comment: z.string().max(1_000_000).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .check(
    z.refine<{ run_id?: number | undefined; llm_call_id?: number | undefined }>(
      (score) => score.run_id !== undefined || score.llm_call_id !== undefined,
      { path: ['run_id'], error: 'expected a run_id, an llm_call_id or both' },
    ),
    z.superRefine<{ data_type: keyof typeof valueTypes; value: unknown }>((score, context) => {
      const expected = valueTypes[score.data_type];
      if (typeof score.value !== expected)
        context.addIssue({
          code: 'custom',
          path: ['value'],
          message: `expected a ${expected}, because data_type is ${score.data_type}`,
        });
    }),
  );
export type NewScore = z.output<typeof newScore>;

const distribution = { name: z.string(), total_count: count };

export const numericDistribution = z.object({
  ...distribution,
  data_type: z.literal('numeric'),
  avg: z.number().nullable().meta({ description: 'null if no score has a number' }),
  min: z.number().nullable(),
  max: z.number().nullable(),
  time_series: z.array(
    z.object({
      date: z.iso.date().meta({ description: 'UTC day; days without scores are omitted' }),
      avg: z.number(),
      count,
    }),
  ),
});

export const valueDistribution = z.object({
  ...distribution,
  data_type: scoreType.exclude(['numeric']),
  value_counts: z
    .array(z.object({ value: z.string(), count }))
    .meta({ description: 'most frequent first, at most 100' }),
});

const filters = {
  name: z.string().optional(),
  agent: z.string().optional().meta({ description: 'agent of the run' }),
  source: scoreSource.optional(),
  data_type: scoreType.optional(),
  value: z.string().max(200).optional().meta({
    description: 'exact text of categorical and boolean scores',
  }),
  min_value: decimalParam.meta({ description: 'for numeric scores' }),
  max_value: decimalParam.meta({ description: 'for numeric scores' }),
  run_id: idFilter,
  llm_call_id: idFilter,
  ...range,
};

const checks = [startBeforeEnd, inOrder('value')] as const;

/** The fields by which scores can be sorted. */
export const scoreSorts = [
  'created_at',
  'name',
  'numeric_value',
  'source',
  'run_agent_name',
] as const;

const sort = sortBy(scoreSorts, '-created_at');

const session = { auth: 'session', errors: 'text' } as const;

export const scoreRoutes = routes({
  listScores: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/evaluations/scores/',
    summary: 'List scores with their count, average and names',
    query: z.object({ ...paging, ...filters, sort }).check(...checks),
    response: page(listedScore).extend({
      aggregates: z.object({
        total_count: count,
        avg_numeric_value: z.number().nullable(),
        score_names: z.array(z.string()),
      }),
    }),
  },
  summarizeScores: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/evaluations/scores/summary/',
    summary: 'The scores that a filter matches: their number and average, in all and over time',
    query: z.object(filters).check(...checks),
    response: z.object({
      count,
      avg_numeric_value: z.number().nullable(),
      bucket_seconds: count.meta({ description: 'length of a bucket; 0 without scores' }),
      buckets: z
        .array(
          z.object({
            start: timestamp,
            scores: count,
            avg: z.number().nullable().meta({ description: 'null if no score has a number' }),
          }),
        )
        .meta({ description: 'in order of time; those without scores are omitted' }),
    }),
  },
  exportScores: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/evaluations/scores/export/',
    summary: `Download the scores that a filter matches, at most ${MAX_EXPORTED.toLocaleString('en')}; long comments are cut`,
    query: z.object({ ...filters, sort, format: exportFormat }).check(...checks),
    response: z.string(),
    downloads,
  },
  getScore: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/evaluations/scores/{score_id}/',
    summary: 'One score with its complete comment and metadata',
    params: z.object({ score_id: z.string() }),
    response: storedScore,
  },
  createScore: {
    ...session,
    role: 'analyst',
    method: 'POST',
    path: '/api/v1/evaluations/scores/create/',
    summary: 'Add a manual score to a run or an LLM call',
    errorStatuses: [404],
    body: newScore,
    status: 201,
    response: z.object(identified),
  },
  getScoreAnalytics: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/evaluations/scores/analytics/',
    summary: 'The distribution of scores over a period that starts at a full hour',
    query: z.object({
      period: period.default('7d'),
      name: z.string().optional(),
      agent: z.string().optional(),
    }),
    response: z.object({
      period,
      since: timestamp,
      distributions: z.array(
        z.discriminatedUnion('data_type', [numericDistribution, valueDistribution]),
      ),
    }),
  },
});

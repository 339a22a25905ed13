import { z } from 'zod';
import { count, range, startBeforeEnd, timestamp } from './fields.ts';
import { runStatus } from './run-list.ts';

/** The measures of a query, by the type of record that they are computed from. */
export const measuresOf = {
  calls: [
    'llm_calls',
    'cost',
    'tokens',
    'tokens_in',
    'tokens_out',
    'tokens_cached',
    'call_latency_p50',
    'call_latency_p95',
  ],
  runs: ['runs', 'failed_runs', 'error_rate', 'run_duration_p50', 'run_duration_p95'],
  scores: ['score_average', 'scores'],
  verdicts: ['verdicts'],
} as const;

export type MeasureFamily = keyof typeof measuresOf;
export const measure = z.enum(Object.values(measuresOf).flat());
export type Measure = z.output<typeof measure>;

export const familyOf = (one: Measure): MeasureFamily =>
  (Object.keys(measuresOf) as MeasureFamily[]).find((family) =>
    (measuresOf[family] as readonly Measure[]).includes(one),
  ) as MeasureFamily;

const ofRun = ['agent', 'workflow', 'user', 'team', 'api_key', 'tag'] as const;

/** The groupings that records of each type support. */
export const groupingsOf = {
  calls: ['none', ...ofRun, 'model', 'provider', 'tenant'],
  runs: ['none', ...ofRun, 'status', 'tenant'],
  scores: ['none', ...ofRun, 'score', 'tenant'],
  verdicts: ['none', ...ofRun, 'action', 'policy', 'tenant'],
} as const satisfies Record<MeasureFamily, readonly string[]>;

export const grouping = z.enum([
  'none',
  ...ofRun,
  'model',
  'provider',
  'status',
  'score',
  'action',
  'policy',
  'tenant',
]);
export type Grouping = z.output<typeof grouping>;

export const units = {
  llm_calls: 'count',
  cost: 'usd',
  tokens: 'count',
  tokens_in: 'count',
  tokens_out: 'count',
  tokens_cached: 'count',
  call_latency_p50: 'ms',
  call_latency_p95: 'ms',
  runs: 'count',
  failed_runs: 'count',
  error_rate: 'ratio',
  run_duration_p50: 'ms',
  run_duration_p95: 'ms',
  score_average: 'score',
  scores: 'count',
  verdicts: 'count',
} as const satisfies Record<Measure, string>;

const names = z.array(z.string().max(500)).max(50).optional();
const name = z.string().max(500).optional();

/** The filters, which are those of the list of runs, and the name of the score to average. */
export const analyticsFilter = z.strictObject({
  agent: name,
  workflow: name,
  status: runStatus.optional(),
  user: name.meta({ description: 'user_id' }),
  session: name.meta({ description: 'session_id' }),
  team: name.meta({ description: 'user_group' }),
  api_key: name.meta({ description: 'id of the API key that recorded the run' }),
  model: names.meta({ description: 'of calls: any of these; of runs: those with such a call' }),
  tag: names.meta({ description: 'runs with all of these tags' }),
  environment: name,
  version: name,
  has_error: z.enum(['true', 'false']).optional(),
  score: name.meta({ description: 'name of the score' }),
});
export type AnalyticsFilter = z.output<typeof analyticsFilter>;

export const MAX_GROUPS = 50;

const interval = z.enum(['none', 'hour', 'day', 'week']);
const top = z.int().min(1).max(MAX_GROUPS).meta({
  description: 'groups to return; all others are combined in `other`',
});

/** The query of a widget with all defaults filled in, without the time range. */
export const filledQuery = z.object({
  measure,
  group_by: grouping,
  interval,
  filters: analyticsFilter,
  top,
});

const widgetQuery = z.strictObject({
  measure,
  group_by: grouping.default('none'),
  interval: interval.default('none'),
  filters: analyticsFilter.default({}),
  top: top.default(8),
});
export type WidgetQuery = z.output<typeof widgetQuery>;

export const isGroupable = ({ measure, group_by }: Pick<WidgetQuery, 'measure' | 'group_by'>) =>
  (groupingsOf[familyOf(measure)] as readonly Grouping[]).includes(group_by);

const matches = z.refine<Pick<WidgetQuery, 'measure' | 'group_by'>>(isGroupable, {
  path: ['group_by'],
  error: 'the measure cannot be grouped by this',
});

/** A query to be stored, whose grouping fits the measure. */
export const storedQuery = widgetQuery.check(matches);

export const analyticsQuery = z
  .strictObject({
    ...widgetQuery.shape,
    ...range,
    timezone: z.string().max(60).default('UTC').meta({
      description: 'IANA name; days and weeks begin at its midnight, weeks on Monday',
    }),
    compare: z.boolean().default(false).meta({
      description: 'also compute the preceding period of the same length',
    }),
  })
  .check(startBeforeEnd, matches);

const value = z.number().nullable().meta({ description: 'null: no records to compute it from' });

const figure = z.object({
  value,
  previous: value.meta({ description: 'value of the previous period; null unless compared' }),
  values: z.array(value).meta({ description: 'values by interval; empty without intervals' }),
});
export type AnalyticsFigure = z.output<typeof figure>;

const bounds = z.object({ start: timestamp, end: timestamp });

export const analyticsAnswer = z.object({
  at: timestamp,
  measure,
  unit: z.enum(['count', 'usd', 'ms', 'ratio', 'score']),
  period: bounds,
  previous: bounds.nullable(),
  timezone: z.string(),
  intervals: z.array(bounds).meta({ description: 'the first and the last may be shorter' }),
  total: figure,
  groups: z.array(
    figure.extend({
      key: z.string().nullable().meta({ description: 'null: records without one' }),
      label: z.string().meta({ description: 'name of the API key or tenant; else the key' }),
    }),
  ),
  other: figure.extend({ group_count: count }).nullable(),
  overlapping: z.boolean().meta({
    description: 'true for tags: a run counts for each, and groups do not add up to the total',
  }),
  source: z.enum(['totals', 'records']).meta({
    description: 'totals: stored by the hour; records: computed from the records themselves',
  }),
  precision: z.number().nullable().meta({
    description: 'maximum relative error of percentiles',
  }),
  partial: z
    .object({
      start: timestamp
        .nullable()
        .meta({ description: 'only records since this time are included' }),
      reason: z.string(),
    })
    .nullable()
    .meta({ description: 'null: the result is complete' }),
});
export type AnalyticsAnswer = z.output<typeof analyticsAnswer>;

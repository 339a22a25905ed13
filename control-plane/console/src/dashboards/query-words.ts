import { groupingsOf, familyOf } from '#contract/analytics-query.ts';
import type {
  ChartKind,
  Grouping,
  Measure,
  Widget,
  WidgetQuery,
} from '../data/dashboard-sources.ts';

export const measureNames: Record<Measure, string> = {
  cost: 'Cost',
  llm_calls: 'LLM calls',
  tokens: 'Tokens',
  tokens_in: 'Input tokens',
  tokens_out: 'Output tokens',
  tokens_cached: 'Tokens read from a cache',
  call_latency_p50: 'Latency of LLM calls, p50',
  call_latency_p95: 'Latency of LLM calls, p95',
  runs: 'Runs',
  failed_runs: 'Failed runs',
  error_rate: 'Error rate of runs',
  run_duration_p50: 'Duration of runs, p50',
  run_duration_p95: 'Duration of runs, p95',
  score_average: 'Average score',
  scores: 'Scores',
  verdicts: 'Policy verdicts',
};

export const groupingNames: Record<Grouping, string> = {
  none: 'Nothing',
  agent: 'Agent',
  workflow: 'Workflow',
  user: 'End user',
  team: 'Team',
  api_key: 'API key',
  tag: 'Tag',
  model: 'Model',
  provider: 'Provider',
  status: 'Status',
  score: 'Score',
  action: 'Action',
  policy: 'Policy',
  tenant: 'Tenant',
};

export const intervalNames: Record<WidgetQuery['interval'], string> = {
  none: 'None',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
};

export const chartNames: Record<ChartKind, string> = {
  number: 'Number with its change',
  line: 'Lines over time',
  stacked_bar: 'Stacked bars over time',
  bar: 'Bars by group',
  table: 'Table',
};

export const widthNames: Record<Widget['width'], string> = { half: 'Half', full: 'Full' };

export const groupingsFor = (measure: Measure): readonly Grouping[] =>
  groupingsOf[familyOf(measure)];

/** Can values of groups or intervals be added up? */
export const isAdditive = (measure: Measure): boolean => !/_p\d+$|_rate$|_average$/.test(measure);

export const isOverTime = (chart: ChartKind): boolean =>
  chart === 'line' || chart === 'stacked_bar';

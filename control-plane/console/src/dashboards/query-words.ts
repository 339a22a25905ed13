import { t } from '@lingui/core/macro';
import { groupingsOf, familyOf } from '#contract/analytics-query.ts';
import type {
  ChartKind,
  Grouping,
  Measure,
  Widget,
  WidgetQuery,
} from '../data/dashboard-sources.ts';

export const measureNames: Record<Measure, string> = {
  cost: t`Cost`,
  llm_calls: t`LLM calls`,
  tokens: t`Tokens`,
  tokens_in: t`Input tokens`,
  tokens_out: t`Output tokens`,
  tokens_cached: t`Tokens read from a cache`,
  call_latency_p50: t`Latency of LLM calls, p50`,
  call_latency_p95: t`Latency of LLM calls, p95`,
  runs: t`Runs`,
  failed_runs: t`Failed runs`,
  error_rate: t`Error rate of runs`,
  run_duration_p50: t`Duration of runs, p50`,
  run_duration_p95: t`Duration of runs, p95`,
  score_average: t`Average score`,
  scores: t`Scores`,
  verdicts: t`Policy verdicts`,
};

export const groupingNames: Record<Grouping, string> = {
  none: t`Nothing`,
  agent: t`Agent`,
  workflow: t`Workflow`,
  user: t`End user`,
  team: t`Team`,
  api_key: t`API key`,
  tag: t`Tag`,
  model: t`Model`,
  provider: t`Provider`,
  status: t`Status`,
  score: t`Score`,
  action: t`Action`,
  policy: t`Policy`,
  tenant: t`Tenant`,
};

export const intervalNames: Record<WidgetQuery['interval'], string> = {
  none: t`None`,
  hour: t`Hour`,
  day: t`Day`,
  week: t`Week`,
};

export const chartNames: Record<ChartKind, string> = {
  number: t`Number with change`,
  line: t`Lines over time`,
  stacked_bar: t`Stacked bars over time`,
  bar: t`Bars by group`,
  table: t`Table`,
};

export const widthNames: Record<Widget['width'], string> = { half: t`Half`, full: t`Full` };

export const groupingsFor = (measure: Measure): readonly Grouping[] =>
  groupingsOf[familyOf(measure)];

/** Whether values of different groups or intervals can be added up. */
export const isAdditive = (measure: Measure): boolean => !/_p\d+$|_rate$|_average$/.test(measure);

export const isOverTime = (chart: ChartKind): boolean =>
  chart === 'line' || chart === 'stacked_bar';

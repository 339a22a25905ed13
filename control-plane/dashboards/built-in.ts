import type { Widget } from '#contract/dashboards.ts';

export const OVERVIEW_ID = 'overview';

type Query = Pick<Widget['query'], 'measure'> & Partial<Widget['query']>;

const widgetOf = (
  title: string,
  chart: Widget['chart'],
  { measure, ...query }: Query,
  width: Widget['width'] = 'half',
): Widget => ({
  title,
  chart,
  width,
  query: { group_by: 'none', interval: 'none', filters: {}, top: 8, ...query, measure },
});

/** The dashboard that every tenant has from the start, which is not stored. */
export const overview: { id: string; name: string; widgets: readonly Widget[] } = {
  id: OVERVIEW_ID,
  name: 'Overview of cost and quality',
  widgets: [
    widgetOf('Cost', 'number', { measure: 'cost', interval: 'day' }),
    widgetOf('Error rate of runs', 'number', { measure: 'error_rate', interval: 'day' }),
    widgetOf(
      'Cost by agent',
      'stacked_bar',
      { measure: 'cost', group_by: 'agent', interval: 'day' },
      'full',
    ),
    widgetOf('Cost by model', 'bar', { measure: 'cost', group_by: 'model' }),
    widgetOf('Cost by end user', 'bar', { measure: 'cost', group_by: 'user' }),
    widgetOf('Tokens by agent', 'bar', { measure: 'tokens', group_by: 'agent' }),
    widgetOf('Failed runs by agent', 'bar', { measure: 'failed_runs', group_by: 'agent' }),
    widgetOf('Duration of runs, p95', 'line', { measure: 'run_duration_p95', interval: 'day' }),
    widgetOf('Latency of LLM calls by model, p95', 'bar', {
      measure: 'call_latency_p95',
      group_by: 'model',
    }),
    widgetOf('Scores', 'table', { measure: 'score_average', group_by: 'score' }),
    widgetOf('Policy verdicts', 'stacked_bar', {
      measure: 'verdicts',
      group_by: 'action',
      interval: 'day',
    }),
  ],
};

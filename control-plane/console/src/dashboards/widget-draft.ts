import { t } from '@lingui/core/macro';
import type { Grouping, Measure, Widget, WidgetQuery } from '../data/dashboard-sources.ts';
import { groupingsFor, isAdditive, measureNames } from './query-words.ts';

export const newWidget: Widget = {
  title: '',
  chart: 'bar',
  width: 'half',
  query: { measure: 'cost', group_by: 'agent', interval: 'day', filters: {}, top: 7 },
};

/** Changes a query and replaces the grouping and chart that no longer fit it. */
export function withQuery(widget: Widget, changes: Partial<WidgetQuery>): Widget {
  const query = { ...widget.query, ...changes };
  if (!groupingsFor(query.measure).includes(query.group_by)) query.group_by = 'none';
  const isStacked = widget.chart === 'stacked_bar';
  const chart = isStacked && !isAdditive(query.measure) ? 'line' : widget.chart;
  return { ...widget, chart, query };
}

/** The title of a widget, or a default one if its title is empty. */
export const titleOf = ({ title, query: { measure, group_by } }: Widget): string =>
  title.trim() || defaultTitle(measure, group_by);

const defaultTitle = (measure: Measure, grouping: Grouping): string =>
  grouping === 'none' ? measureNames[measure] : byTexts[grouping](measureNames[measure]);

const byTexts: Record<Exclude<Grouping, 'none'>, (measure: string) => string> = {
  agent: (measure) => t`${measure} by agent`,
  workflow: (measure) => t`${measure} by workflow`,
  user: (measure) => t`${measure} by end user`,
  team: (measure) => t`${measure} by team`,
  api_key: (measure) => t`${measure} by API key`,
  tag: (measure) => t`${measure} by tag`,
  model: (measure) => t`${measure} by model`,
  provider: (measure) => t`${measure} by provider`,
  status: (measure) => t`${measure} by status`,
  score: (measure) => t`${measure} by score`,
  action: (measure) => t`${measure} by action`,
  policy: (measure) => t`${measure} by policy`,
  tenant: (measure) => t`${measure} by tenant`,
};

/** Moves an item by one position; returns the items unchanged at the ends. */
export function moveItem<T>(items: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by;
  const next = [...items];
  if (to < 0 || to >= items.length) return next;
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}

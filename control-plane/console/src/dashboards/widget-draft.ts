import type { Grouping, Measure, Widget, WidgetQuery } from '../data/dashboard-sources.ts';
import { groupingNames, groupingsFor, isAdditive, measureNames } from './query-words.ts';

export const newWidget: Widget = {
  title: '',
  chart: 'bar',
  width: 'half',
  query: { measure: 'cost', group_by: 'agent', interval: 'day', filters: {}, top: 7 },
};

/** Changes a query, and what does not fit any more with it. */
export function withQuery(widget: Widget, changes: Partial<WidgetQuery>): Widget {
  const query = { ...widget.query, ...changes };
  if (!groupingsFor(query.measure).includes(query.group_by)) query.group_by = 'none';
  const isStacked = widget.chart === 'stacked_bar';
  const chart = isStacked && !isAdditive(query.measure) ? 'line' : widget.chart;
  return { ...widget, chart, query };
}

/** The title of a widget whose field for it is empty. */
export const titleOf = ({ title, query: { measure, group_by } }: Widget): string =>
  title.trim() || defaultTitle(measure, group_by);

const defaultTitle = (measure: Measure, grouping: Grouping): string =>
  grouping === 'none'
    ? measureNames[measure]
    : `${measureNames[measure]} by ${wordOf(groupingNames[grouping])}`;

/** `API key` keeps its capitals. */
const wordOf = (name: string): string =>
  /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);

/** Moves an item; unchanged at the ends. */
export function moved<T>(items: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by;
  const next = [...items];
  if (to < 0 || to >= items.length) return next;
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}

import type { AnalyticsFilters, Widget, WidgetQuery } from '../data/dashboard-sources.ts';
import { lengths } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import { OWN_COLOURS } from '../charts/chart-rules.ts';
import { isOverTime } from './query-words.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The time range if the URL of a dashboard has none. */
export const FIRST_RANGE = '7d';

const names = ['agent', 'user', 'team'] as const;
const lists = ['model', 'tag'] as const;

/** The filters of the page, from the URL. */
export function pageFiltersOf({ get, all }: Pick<Filters, 'get' | 'all'>): AnalyticsFilters {
  const named = names.flatMap((name) => (get(name) ? [[name, get(name)]] : []));
  const listed = lists.flatMap((name) => (all(name).length > 0 ? [[name, all(name)]] : []));
  return Object.fromEntries([...named, ...listed]) as AnalyticsFilters;
}

function lengthOf({ since, start, end }: TimeRange, now: number): number {
  if (since) return lengths[since].ms;
  const until = end === undefined ? now : Date.parse(end);
  return until - (start === undefined ? until - 7 * DAY_MS : Date.parse(start));
}

/** Replaces intervals that would result in a single value or in too many to read. */
export function fittingInterval(
  interval: WidgetQuery['interval'],
  range: TimeRange,
  now: number,
): WidgetQuery['interval'] {
  if (interval === 'none') return interval;
  const length = lengthOf(range, now);
  if (length <= 2 * DAY_MS) return 'hour';
  if (interval === 'hour' && length > 8 * DAY_MS) return 'day';
  if (interval === 'week' && length <= 14 * DAY_MS) return 'day';
  return interval === 'day' && length > 200 * DAY_MS ? 'week' : interval;
}

/**
 * The query of a widget: its own, reduced to what its chart shows, with the filters of the page.
 */
export function queryOfWidget(
  { chart, query }: Pick<Widget, 'chart' | 'query'>,
  page: AnalyticsFilters,
  range: TimeRange,
  now: number,
): WidgetQuery {
  const timed = isOverTime(chart) && query.interval === 'none' ? 'day' : query.interval;
  const isTimeless = chart === 'bar' || chart === 'table';
  return {
    ...query,
    group_by: chart === 'number' ? 'none' : query.group_by,
    interval: isTimeless ? 'none' : fittingInterval(timed, range, now),
    top: isOverTime(chart) ? Math.min(query.top, OWN_COLOURS) : query.top,
    filters: { ...query.filters, ...page },
  };
}

import { t } from '@lingui/core/macro';
import { DAY_MS } from '#lib/time-units.ts';
import type { ModelUsage, Period } from '../data/analytics-sources.ts';
import { OWN_COLOURS, type Series } from '../charts/chart-rules.ts';

export const measures = ['cost', 'tokens', 'calls'] as const;
export type Measure = (typeof measures)[number];

type Point = ModelUsage['time_series'][number];

export interface DayUsage {
  /** The day in UTC. */
  date: string;
  cost: number;
  tokens: number;
  calls: number;
  models: Point[];
}

const lengths: Record<Period, number> = { '1d': 1, '7d': 7, '30d': 30 };

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Usage of every day of a period that ends today, in order, including days without calls. */
export function usageByDay(series: readonly Point[], period: Period, today: string): DayUsage[] {
  const last = Date.parse(today);
  const inPeriod = Array.from({ length: lengths[period] + 1 }, (_, at) =>
    dayOf(last - (lengths[period] - at) * DAY_MS),
  );
  // The series may contain days after the period: midnight may pass between response and rendering.
  const dates = [...new Set([...inPeriod, ...series.map(({ date }) => date)])].sort();
  return dates.map((date) => {
    const models = series.filter((point) => point.date === date);
    const sum = (measure: Measure) => models.reduce((all, point) => all + point[measure], 0);
    return { date, cost: sum('cost'), tokens: sum('tokens'), calls: sum('calls'), models };
  });
}

/** Index in the palette. A model keeps its colour as long as the ranking is the same. */
export const colourOf = (ranking: readonly string[], model: string): number => {
  const rank = ranking.indexOf(model);
  return rank < 0 || rank > OWN_COLOURS ? OWN_COLOURS : rank;
};

/** One series per colour. Models without a colour of their own share the last one. */
export function seriesOfDays(
  days: readonly DayUsage[],
  measure: Measure,
  ranking: readonly string[],
): Series[] {
  const colours = [...new Set(ranking.map((model) => colourOf(ranking, model)))].sort(
    (a, b) => a - b,
  );
  return colours.map((colour) => ({
    name: colour === OWN_COLOURS ? t`other models` : (ranking[colour] ?? ''),
    colour,
    values: days.map(({ models }) =>
      models
        .filter(({ model }) => colourOf(ranking, model) === colour)
        .reduce((sum, point) => sum + point[measure], 0),
    ),
  }));
}

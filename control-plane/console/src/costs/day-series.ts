import { t } from '@lingui/core/macro';
import { OWN_COLOURS, type Series } from '../charts/chart-rules.ts';
import type { DayUsage, Measure } from './usage-by-day.ts';

/** Index in the palette: a model keeps its colour as long as the ranking is the same. */
export const colourOf = (ranking: readonly string[], model: string): number => {
  const rank = ranking.indexOf(model);
  return rank < 0 || rank > OWN_COLOURS ? OWN_COLOURS : rank;
};

/** One series for each colour: models without a colour of their own share the last. */
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

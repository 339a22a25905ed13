import type { Series } from '../charts/chart-rules.ts';
import { colourOf, OWN_COLOURS } from './model-colours.ts';
import type { DayUsage, Measure } from './usage-by-day.ts';

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
    name: colour === OWN_COLOURS ? 'other models' : (ranking[colour] ?? ''),
    colour,
    values: days.map(({ models }) =>
      models
        .filter(({ model }) => colourOf(ranking, model) === colour)
        .reduce((sum, point) => sum + point[measure], 0),
    ),
  }));
}

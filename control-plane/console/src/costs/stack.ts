import type { DayUsage, Measure } from './usage-by-day.ts';

/** Number of models with a colour of their own; all further models share one more colour. */
export const ownColours = 7;

export interface Layer {
  /** Index in the palette. */
  colour: number;
  /** Lower and upper bound, in the unit of the measure. */
  from: number;
  to: number;
}

/** Index in the palette: a model keeps its colour as long as the ranking is the same. */
export const colourOf = (ranking: readonly string[], model: string): number => {
  const rank = ranking.indexOf(model);
  return rank < 0 || rank > ownColours ? ownColours : rank;
};

/** A day's column from bottom to top: one layer per colour, in palette order. */
export function stackDay(day: DayUsage, measure: Measure, ranking: readonly string[]): Layer[] {
  const sums = new Map<number, number>();
  for (const point of day.models) {
    const colour = colourOf(ranking, point.model);
    sums.set(colour, (sums.get(colour) ?? 0) + point[measure]);
  }
  let from = 0;
  return [...sums]
    .sort(([one], [other]) => one - other)
    .filter(([, amount]) => amount > 0)
    .map(([colour, amount]) => {
      const layer = { colour, from, to: from + amount };
      from = layer.to;
      return layer;
    });
}

/** Three to six round tick values from 0 to at least `most`. */
export function marksTo(most: number): number[] {
  if (most <= 0) return [0];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

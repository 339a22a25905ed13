import type { DayUsage, Measure } from './usage-by-day.ts';

/** Colours of their own; all further models share the last. */
export const ownColours = 7;

export interface Layer {
  /** Place in the palette. */
  colour: number;
  /** From and to, in the unit of the measure. */
  from: number;
  to: number;
}

/** Models keep their colour from page to page of the same ranking. */
export const colourOf = (ranking: readonly string[], model: string): number => {
  const place = ranking.indexOf(model);
  return place < 0 || place > ownColours ? ownColours : place;
};

/** One day's column from the ground up: one layer a colour, in the order of the palette. */
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

/** Round marks from 0 to at least `most`, three to six of them. */
export function marksTo(most: number): number[] {
  if (most <= 0) return [0];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

/** Number of series with a colour of their own. All others share one additional colour. */
export const OWN_COLOURS = 7;

/** One line, or one layer of the columns. */
export interface Series {
  name: string;
  /** Index in the palette. */
  colour: number;
  /** One value per interval; null if there is none. */
  values: readonly (number | null)[];
}

export interface StackSegment {
  colour: number;
  from: number;
  to: number;
}

/** The layers of the column at an interval, from bottom to top. */
export function stackAt(series: readonly Series[], at: number): StackSegment[] {
  let from = 0;
  return series.flatMap(({ colour, values }) => {
    const amount = values[at] ?? 0;
    if (amount <= 0) return [];
    const layer = { colour, from, to: from + amount };
    from = layer.to;
    return layer;
  });
}

export function highestValue(series: readonly Series[], stacked: boolean): number {
  const [first] = series;
  if (!first) return 0;
  const tops = first.values.map((_, at) => {
    const values = series.map((one) => one.values[at] ?? 0);
    return stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  return Math.max(0, ...tops);
}

export interface Point {
  at: number;
  value: number;
}

/** Splits a line at its missing values. */
export function lineSegments(values: Series['values']): Point[][] {
  const parts: Point[][] = [];
  let open = false;
  values.forEach((value, at) => {
    if (value === null) open = false;
    else if (open) parts.at(-1)?.push({ at, value });
    else {
      parts.push([{ at, value }]);
      open = true;
    }
  });
  return parts;
}

/** Three to six round tick values from 0 to at least `most`. */
export function tickValues(most: number): number[] {
  if (most <= 0) return [0];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

/** Three to six round tick values from 0 to at least `most`. */
export function marksTo(most: number): number[] {
  if (most <= 0) return [0];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

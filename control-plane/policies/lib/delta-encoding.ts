/** Delta-encodes ascending times: the first one, then the differences, which have few digits. */
export const packTimes = (times: readonly number[]): number[] =>
  times.map((at, i) => at - (times[i - 1] ?? 0));

export function unpackTimes(packed: readonly number[]): number[] {
  let at = 0;
  return packed.map((later) => (at += later));
}

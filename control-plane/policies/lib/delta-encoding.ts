/** Delta-encodes ascending times: the first time, then the differences, which have few digits. */
export function packTimes(times: readonly number[]): number[] {
  let before = 0;
  return times.map((at) => {
    const later = at - before;
    before = at;
    return later;
  });
}

export function unpackTimes(packed: readonly number[]): number[] {
  let at = 0;
  return packed.map((later) => (at += later));
}

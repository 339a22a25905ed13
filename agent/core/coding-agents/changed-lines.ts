export interface ChangedLines {
  added: number;
  removed: number;
}

/** Beyond this number of comparisons, all lines between the first and the last change count. */
const MAX_COMPARISONS = 1_000_000;

/**
 * Counts the lines that a replacement of one text by another adds and removes, as a line diff does.
 * The texts usually contain unchanged lines around the change.
 */
export function linesOfEdit(before: string, after: string): ChangedLines {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const gone = old.slice(start, old.length - end);
  const come = now.slice(start, now.length - end);
  const kept = gone.length * come.length > MAX_COMPARISONS ? 0 : longestCommon(gone, come);
  return { added: come.length - kept, removed: gone.length - kept };
}

/** The lines of a text; the end of the last line does not begin another one. */
const linesOf = (text: string): string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);

/** The length of the longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1);
  for (const line of a) {
    const row = new Uint32Array(b.length + 1);
    for (let j = 0; j < b.length; j += 1)
      row[j + 1] = line === b[j] ? at(above, j) + 1 : Math.max(at(above, j + 1), at(row, j));
    above = row;
  }
  return at(above, b.length);
}

const at = (row: Uint32Array, index: number): number => row[index] ?? 0;

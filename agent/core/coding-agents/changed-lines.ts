export interface ChangedLines {
  added: number;
  removed: number;
}

/** The replacement of one text by another. */
export interface Replacement {
  before: string;
  after: string;
}

/**
 * The limit for all replacements of one call together, because the agent does nothing else
 * meanwhile. Of a replacement beyond it, all lines between the first and the last change count.
 */
const MAX_COMPARISONS = 1_000_000;

/**
 * Counts the lines that replacements add and remove, as a line diff does. The texts usually contain
 * unchanged lines around the change.
 */
export function linesOfEdits(edits: readonly Replacement[]): ChangedLines {
  const total: ChangedLines = { added: 0, removed: 0 };
  let comparisons = MAX_COMPARISONS;
  for (const edit of edits) {
    const { gone, come } = changedPart(edit);
    const needed = gone.length * come.length;
    const isCompared = needed <= comparisons;
    if (isCompared) comparisons -= needed;
    const kept = isCompared ? longestCommon(gone, come) : 0;
    total.added += come.length - kept;
    total.removed += gone.length - kept;
  }
  return total;
}

/** The lines between the first and the last change. Equal lines have equal numbers. */
function changedPart({ before, after }: Replacement): { gone: number[]; come: number[] } {
  // Comparing the texts of lines would take longer the longer their common beginnings are.
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  const old = linesOf(before).map(numberOf);
  const now = linesOf(after).map(numberOf);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return { gone: old.slice(start, old.length - end), come: now.slice(start, now.length - end) };
}

/** The lines of a text; the end of the last line does not begin another one. */
const linesOf = (text: string): string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);

/** The length of the longest common subsequence. */
function longestCommon(a: readonly number[], b: readonly number[]): number {
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

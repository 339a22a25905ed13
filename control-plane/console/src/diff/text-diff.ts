import { diffArrays, diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPart {
  text: string;
  /** Whether this part of a changed line differs. */
  changed: boolean;
}

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  parts: DiffPart[];
}

/** Texts with more differences are shown as replaced, because comparing them would take seconds. */
const MAX_EDITS = 2000;
/** Longer lines are not compared by words. */
const MAX_LINE = 5000;

/**
 * The lines of both texts in order. A changed line follows its old form, with the changed words
 * marked.
 */
export function diffTexts(before: string, after: string): DiffLine[] {
  // Ends both texts with a line break: otherwise a last line would differ from the same line in the
  // middle of the other text.
  const [old, now] = [`${before}\n`, `${after}\n`];
  const changes = diffLines(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { value: old, removed: true, added: false, count: 0 },
    { value: now, removed: false, added: true, count: 0 },
  ];
  const lines: DiffLine[] = [];
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at];
    const next = changes[at + 1];
    if (!change) continue;
    if (change.removed && next?.added) {
      lines.push(...diffBlocks(linesOf(change.value), linesOf(next.value)));
      at += 1;
    } else {
      const kind = change.removed ? 'removed' : change.added ? 'added' : 'same';
      lines.push(...linesOf(change.value).map((text) => wholeLine(kind, text)));
    }
  }
  return lines;
}

/** Splits a text that ends with a line break into its lines. */
const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

const wholeLine = (kind: DiffLine['kind'], text: string): DiffLine => ({
  kind,
  parts: [{ text, changed: false }],
});

/** Compares two blocks that replace each other: lines at the same index are compared by words. */
function diffBlocks(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
    const [old, now] = [before[at], after[at]];
    if (old === undefined || now === undefined || old.length + now.length > MAX_LINE) {
      if (old !== undefined) removed.push(wholeLine('removed', old));
      if (now !== undefined) added.push(wholeLine('added', now));
      continue;
    }
    const words = diffWordsWithSpace(old, now);
    const partsOf = (other: 'added' | 'removed') =>
      words
        .filter((word) => !word[other])
        .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
    removed.push({ kind: 'removed', parts: partsOf('added') });
    added.push({ kind: 'added', parts: partsOf('removed') });
  }
  return [...removed, ...added];
}

/** Pairs the items of two lists: equal items, and between them changed items at the same index. */
export function pairItems<T>(
  before: readonly T[],
  after: readonly T[],
  isSame: (a: T, b: T) => boolean,
): [before: T | undefined, after: T | undefined][] {
  const pairs: [T | undefined, T | undefined][] = [];
  let removed: T[] = [];
  const flush = (added: readonly T[]) => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      pairs.push([removed[at], added[at]]);
    removed = [];
  };
  for (const change of diffArrays([...before], [...after], { comparator: isSame }))
    if (change.removed) removed = change.value;
    else if (change.added) flush(change.value);
    else {
      flush([]);
      pairs.push(...change.value.map((item): [T, T] => [item, item]));
    }
  flush([]);
  return pairs;
}

/**
 * Finds runs of unchanged lines that are longer than twice the context. Returns their first line
 * and length.
 */
export function foldLines(
  lines: readonly DiffLine[],
  context = 3,
): ({ line: DiffLine; key: number } | { folded: readonly DiffLine[]; key: number })[] {
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') for (let by = -context; by <= context; by += 1) near.add(at + by);
  const rows: ReturnType<typeof foldLines> = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) continue;
    let end = at;
    while (end < lines.length && !near.has(end)) end += 1;
    if (end - at < 2) rows.push({ line, key: at });
    else {
      rows.push({ folded: lines.slice(at, end), key: at });
      at = end - 1;
    }
  }
  return rows;
}

import { diffArrays } from 'diff';
import type { TraceNode } from './trace-tree.ts';

/** A record of one run beside its counterpart in the other run. */
export interface AlignedRow {
  depth: number;
  left: TraceNode | undefined;
  right: TraceNode | undefined;
}

type Pair = Pick<AlignedRow, 'left' | 'right'>;

/** Lists with more differences are paired by position, because comparing would take seconds. */
const MAX_EDITS = 500;

/**
 * Merges two traces into one order. The children of corresponding records correspond if they have
 * the same kind and name, in order; between those, if they have the same kind. Not recursive,
 * because a trace may be nested tens of thousands deep.
 */
export function alignTraces(left: readonly TraceNode[], right: readonly TraceNode[]): AlignedRow[] {
  const rows: AlignedRow[] = [];
  const pending: AlignedRow[] = rowsOf(pairRoots(left, right), 0);
  for (let row = pending.pop(); row; row = pending.pop()) {
    rows.push(row);
    const { depth } = row;
    const children = pairNodes(row.left?.children ?? [], row.right?.children ?? []);
    for (const child of rowsOf(children, depth + 1)) pending.push(child);
  }
  return rows;
}

/** Converts pairs to rows in reverse order, because rows are taken from the end. */
const rowsOf = (pairs: readonly Pair[], depth: number): AlignedRow[] =>
  pairs.map((pair) => ({ depth, ...pair })).toReversed();

/** Pairs the runs themselves, even if the names of their agents differ. */
const pairRoots = (left: readonly TraceNode[], right: readonly TraceNode[]): Pair[] =>
  pairBy(left, right, ({ item }) => item.kind, byPosition);

const pairNodes = (left: readonly TraceNode[], right: readonly TraceNode[]): Pair[] =>
  pairBy(
    left,
    right,
    ({ item }) => `${item.kind} ${item.name}`,
    (left, right) => pairBy(left, right, ({ item }) => item.kind, byPosition),
  );

type Pairing = (left: readonly TraceNode[], right: readonly TraceNode[]) => Pair[];

/**
 * Pairs nodes with equal keys in order. `between` pairs the remaining nodes between two of these.
 */
function pairBy(
  left: readonly TraceNode[],
  right: readonly TraceNode[],
  keyOf: (node: TraceNode) => string,
  between: Pairing,
): Pair[] {
  if (left.length === 0 || right.length === 0) return leaveUnpaired(left, right);
  const changes = diffArrays(left.map(keyOf), right.map(keyOf), { maxEditLength: MAX_EDITS });
  if (!changes) return between(left, right);
  const pairs: Pair[] = [];
  let [atLeft, atRight] = [0, 0];
  let [fromLeft, fromRight] = [0, 0];
  const flush = () => {
    const rest = [left.slice(fromLeft, atLeft), right.slice(fromRight, atRight)] as const;
    if (rest[0].length + rest[1].length > 0) pairs.push(...between(...rest));
  };
  for (const { added, removed, value } of changes)
    if (removed) atLeft += value.length;
    else if (added) atRight += value.length;
    else {
      flush();
      for (let at = 0; at < value.length; at += 1)
        pairs.push({ left: left[atLeft + at], right: right[atRight + at] });
      atLeft += value.length;
      atRight += value.length;
      [fromLeft, fromRight] = [atLeft, atRight];
    }
  flush();
  return pairs;
}

/** Pairs nodes by position. Nodes of different kinds do not correspond. */
function byPosition(left: readonly TraceNode[], right: readonly TraceNode[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at], right[at]];
    if (one && other && one.item.kind === other.item.kind) pairs.push({ left: one, right: other });
    else pairs.push(...leaveUnpaired(one ? [one] : [], other ? [other] : []));
  }
  return pairs;
}

const leaveUnpaired: Pairing = (left, right) => [
  ...left.map((left) => ({ left, right: undefined })),
  ...right.map((right) => ({ left: undefined, right })),
];

/** Whether the records differ in name, outcome or verdict. Their durations do not count. */
export function differs({ left, right }: Pair): boolean {
  if (!left || !right) return true;
  const [one, other] = [left.item, right.item];
  return (
    one.name !== other.name ||
    one.status !== other.status ||
    one.action !== other.action ||
    left.failed !== right.failed
  );
}

/** The rows that differ, with their ancestors. */
export function differentRows(rows: readonly AlignedRow[]): AlignedRow[] {
  const kept: AlignedRow[] = [];
  // Goes through the rows in reverse, where descendants come before their ancestors.
  let above = 0;
  for (const row of rows.toReversed()) {
    const isAbove = row.depth < above;
    if (!isAbove && !differs(row)) continue;
    kept.push(row);
    above = row.depth;
  }
  return kept.toReversed();
}

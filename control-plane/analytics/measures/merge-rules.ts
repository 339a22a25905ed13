import { roundedCost } from '../../llm-calls/rules.ts';

/** The records of one interval, group and duration. */
export interface Row {
  step: number;
  /** The name of the group; null for records without one. */
  name: string | null;
  /** A duration in milliseconds that represents these records. */
  duration: number | null;
  count: number;
  sum: number;
}

/** How a measure is computed from the rows of a group. */
export type Aggregation = 'count' | 'sum' | 'cost' | 'average' | 'p50' | 'p95';

export interface Figure {
  value: number | null;
  previous: number | null;
  values: (number | null)[];
}

export interface Group extends Figure {
  key: string | null;
}

export interface Grouped {
  total: Figure;
  groups: Group[];
  other: (Figure & { group_count: number }) | null;
}

const parts = { p50: 0.5, p95: 0.95 } as const;

export const isPercentile = (kind: Aggregation): kind is keyof typeof parts => kind in parts;

/** Computes a measure; returns null if there are no records to compute it from. */
export function valueOf(kind: Aggregation, rows: readonly Row[]): number | null {
  if (isPercentile(kind)) return percentileOf(rows, parts[kind]);
  const total = (field: 'count' | 'sum'): number => rows.reduce((sum, row) => sum + row[field], 0);
  if (kind === 'count') return total('count');
  if (kind === 'sum') return total('sum');
  if (kind === 'cost') return roundedCost(total('sum'));
  const count = total('count');
  return count === 0 ? null : total('sum') / count;
}

/** Returns a percentile by the nearest-rank method. */
function percentileOf(rows: readonly Row[], part: number): number | null {
  const timed = rows
    .flatMap(({ duration, count }) => (duration === null || count <= 0 ? [] : { duration, count }))
    .sort((a, b) => a.duration - b.duration);
  let rank = Math.max(1, Math.ceil(part * timed.reduce((sum, { count }) => sum + count, 0)));
  for (const { duration, count } of timed) {
    if (rank <= count) return duration;
    rank -= count;
  }
  return null;
}

interface Rows {
  now: readonly Row[];
  /** Undefined if there is no comparison. */
  before: readonly Row[] | undefined;
}

interface MergeOptions {
  kind: Aggregation;
  /** The number of intervals; 0 if there are none. */
  steps: number;
  top: number;
}

export function figureOf({ now, before }: Rows, { kind, steps }: MergeOptions): Figure {
  const byStep = Map.groupBy(steps === 0 ? [] : now, ({ step }) => step);
  return {
    value: valueOf(kind, now),
    previous: before ? valueOf(kind, before) : null,
    values: Array.from({ length: steps }, (_, step) => valueOf(kind, byStep.get(step) ?? [])),
  };
}

/**
 * Returns the largest groups, and all others together. Groups of a measure that cannot be summed,
 * such as an average, are ordered by their number of records.
 */
export function groupRows({ now, before }: Rows, how: MergeOptions): Grouped {
  const names = Map.groupBy(now, ({ name }) => name);
  const earlier = Map.groupBy(before ?? [], ({ name }) => name);
  const rankOf = (rows: readonly Row[]): number =>
    how.kind === 'sum' || how.kind === 'cost'
      ? (valueOf(how.kind, rows) ?? 0)
      : (valueOf('count', rows) ?? 0);
  const ranked = [...names]
    .map(([key, rows]) => ({ key, rows, rank: rankOf(rows) }))
    .sort((a, b) => b.rank - a.rank || ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  const top = ranked.slice(0, how.top);
  const rest = ranked.slice(how.top).flatMap(({ rows }) => rows);
  const shown = new Set(top.map(({ key }) => key));
  const restBefore = before?.filter(({ name }) => !shown.has(name));
  const others = new Set([...rest, ...(restBefore ?? [])].map(({ name }) => name));
  return {
    total: figureOf({ now, before }, how),
    groups: top.map(({ key, rows }) => {
      const own = { now: rows, before: before && (earlier.get(key) ?? []) };
      return { key, ...figureOf(own, how) };
    }),
    other:
      others.size > 0
        ? { ...figureOf({ now: rest, before: restBefore }, how), group_count: others.size }
        : null,
  };
}

/**
 * Groups rows by their tags instead of by the JSON array of tags. A row counts once for each tag. A
 * row whose tags are all outside the top counts once as other.
 */
export function groupRowsByTag(rows: Rows, how: MergeOptions): Grouped {
  const spread = (all: readonly Row[]): Row[] =>
    all.flatMap((row) => tagsOf(row).map((name) => ({ ...row, name })));
  const found = groupRows(
    { now: spread(rows.now), before: rows.before && spread(rows.before) },
    how,
  );
  const shown = new Set(found.groups.map(({ key }) => key));
  const isOther = (row: Row): boolean => tagsOf(row).every((tag) => !shown.has(tag));
  const other = { now: rows.now.filter(isOther), before: rows.before?.filter(isOther) };
  return {
    total: figureOf(rows, how),
    groups: found.groups,
    other: found.other && {
      ...figureOf(other, how),
      group_count: found.other.group_count,
    },
  };
}

function tagsOf({ name }: Row): readonly (string | null)[] {
  const tags = name === null ? [] : (JSON.parse(name) as string[]);
  return tags.length === 0 ? [null] : [...new Set(tags)];
}

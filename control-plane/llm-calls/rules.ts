/** What is asked of a list of calls, without a search. Times are milliseconds, `start` ≤ t < `end`. */
export interface CallFilter {
  model?: readonly string[] | undefined;
  agent?: string | undefined;
  min_cost?: number | undefined;
  max_cost?: number | undefined;
  min_tokens?: number | undefined;
  max_tokens?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

export interface ModelSums {
  model: string;
  calls: number;
  tokens: number;
  cost: number;
}

export interface Aggregates {
  total_cost: number;
  total_tokens: number;
  total_calls: number;
  models_used: string[];
}

/** Does the stored use of models not know these calls apart? Then they are read one by one. */
export const needsScan = (filter: CallFilter): boolean =>
  [filter.min_cost, filter.max_cost, filter.min_tokens, filter.max_tokens].some(
    (bound) => bound !== undefined,
  );

export interface TimeRange {
  start?: number | undefined;
  end?: number | undefined;
}

/** `from` ≤ hour < `to`, in hours since 1970; unset is without end. */
export interface HourRange {
  from?: number | undefined;
  to?: number | undefined;
}

const HOUR_MS = 3_600_000;

/** A time as whole hours, and what of it lies in hours that it only touches. */
export function splitHours({ start, end }: TimeRange): { hours?: HourRange; edges: TimeRange[] } {
  const from = start === undefined ? undefined : Math.ceil(start / HOUR_MS);
  const to = end === undefined ? undefined : Math.floor(end / HOUR_MS);
  if (from !== undefined && to !== undefined && from >= to) return { edges: [{ start, end }] };
  const edges: TimeRange[] = [];
  if (from !== undefined && start !== from * HOUR_MS) edges.push({ start, end: from * HOUR_MS });
  if (to !== undefined && end !== to * HOUR_MS) edges.push({ start: to * HOUR_MS, end });
  return { hours: { from, to }, edges };
}

export function aggregatesOf(sums: readonly ModelSums[]): Aggregates {
  const used = sums.filter(({ calls }) => calls > 0);
  const total = (field: 'calls' | 'tokens' | 'cost'): number =>
    used.reduce((sum, row) => sum + row[field], 0);
  return {
    total_cost: exactly(total('cost')),
    total_tokens: total('tokens'),
    total_calls: total('calls'),
    models_used: sorted(new Set(used.map(({ model }) => model))),
  };
}

/** In the same order whatever the database's collation is. */
export const sorted = (texts: Iterable<string>): string[] =>
  [...texts].sort((a, b) => (a < b ? -1 : 1));

/** Billionths of a dollar: what policies compare too, and far below any price. */
const PER_DOLLAR = 1e9;

/**
 * A sum of costs as it is answered: without what depends on the order in which it was added, so
 * that the same calls cost the same however they were asked for, and without what is left over when
 * retention takes costs away again, which may even be below zero.
 */
export const exactly = (sum: number): number => {
  const rounded = Math.round(sum * PER_DOLLAR) / PER_DOLLAR;
  return Math.max(0, Number(rounded.toPrecision(12)));
};

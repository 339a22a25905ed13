import { HOUR_MS } from '#lib/time-units.ts';

/** A filter for calls, without the search. Times are in milliseconds: `start` ≤ t < `end`. */
export interface CallFilter {
  model?: readonly string[] | undefined;
  agent?: string | undefined;
  min_cost?: number | undefined;
  max_cost?: number | undefined;
  min_tokens?: number | undefined;
  max_tokens?: number | undefined;
  min_duration_ms?: number | undefined;
  max_duration_ms?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
  /** Content hashes of managed prompts. */
  prompts?: readonly string[] | undefined;
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

export interface CallBucket {
  start: number;
  calls: number;
  tokens: number;
  cost: number;
}

export interface CallSummary {
  /** The length of a bucket in milliseconds; 0 without calls. */
  length: number;
  buckets: CallBucket[];
}

/**
 * A summary of a search. `isCut` means that there are too many matches to look up all durations.
 */
export interface FoundSummary extends CallSummary {
  isCut: boolean;
}

/**
 * Whether the filter requires reading single calls, because the stored totals by model are not
 * sufficient.
 */
export const needsScan = (filter: CallFilter): boolean =>
  hasDuration(filter) ||
  [filter.min_cost, filter.max_cost, filter.min_tokens, filter.max_tokens, filter.prompts].some(
    (bound) => bound !== undefined,
  );

/** Sorts before every duration. */
export const UNKNOWN_DURATION = -1;

export const hasDuration = ({ min_duration_ms, max_duration_ms }: CallFilter): boolean =>
  min_duration_ms !== undefined || max_duration_ms !== undefined;

export interface TimeRange {
  start?: number | undefined;
  end?: number | undefined;
}

/** The hours with `from` ≤ hour < `to`, counted since 1970; unbounded if unset. */
export interface HourRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** Splits a time range into whole hours and the partial hours at its ends. */
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
    total_cost: roundedCost(total('cost')),
    total_tokens: total('tokens'),
    total_calls: total('calls'),
    models_used: sorted(new Set(used.map(({ model }) => model))),
  };
}

/** Sorts texts independently of the database's collation. */
export const sorted = (texts: Iterable<string>): string[] =>
  [...texts].sort((a, b) => (a < b ? -1 : 1));

/** Costs are precise to a billionth of a dollar, as in policies, which is far below any price. */
const PER_DOLLAR = 1e9;

/**
 * Rounds a sum of costs, so that it does not depend on the order of addition, and the same calls
 * cost the same in every response. This also removes residues, possibly negative, after retention
 * has subtracted costs.
 */
export const roundedCost = (sum: number): number => {
  const rounded = Math.round(sum * PER_DOLLAR) / PER_DOLLAR;
  return Math.max(0, Number(rounded.toPrecision(12)));
};

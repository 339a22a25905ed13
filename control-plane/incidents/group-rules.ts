import { TREND_POINTS } from '#contract/incidents.ts';

export const HOUR_MS = 3_600_000;
/** The length of the trend of a list without a start. */
const USUAL_MS = 14 * 24 * HOUR_MS;

export interface Trend {
  /** The start of the first point, which is a full hour, in ms since 1970. */
  start: number;
  /** The distance between points in milliseconds, which is a number of full hours. */
  step: number;
  points: number;
}

/** Returns points at full hours that cover a range, by default the last two weeks. */
export function trendOf({
  start,
  end,
  now,
}: {
  start: number | undefined;
  end: number | undefined;
  now: number;
}): Trend {
  const last = Math.min(end ?? now, now);
  const first = Math.min(start ?? last - USUAL_MS, last);
  const from = Math.floor(first / HOUR_MS) * HOUR_MS;
  const hours = Math.max(1, Math.ceil((last + 1 - from) / HOUR_MS));
  const each = Math.ceil(hours / TREND_POINTS);
  return { start: from, step: each * HOUR_MS, points: Math.ceil(hours / each) };
}

/** How long after the block a record without a start must arrive to count as begun after it. */
export const IN_FLIGHT_MS = 60_000;

interface RunAfterBlock {
  /** The time of the block. */
  at: number;
  completed_at: number | null;
  /** Whether any record began after the block. */
  went_on: boolean;
  /** Whether any record that may have begun before the block arrived after it. */
  in_doubt: boolean;
}

/** Whether the agent stopped at the block; null if the run had already ended. */
export function obeyedOf(run: RunAfterBlock): 'yes' | 'no' | 'unknown' | null {
  if (run.completed_at !== null && run.completed_at <= run.at) return null;
  if (run.went_on) return 'no';
  if (run.in_doubt || run.completed_at === null) return 'unknown';
  return 'yes';
}

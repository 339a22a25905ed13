import { TREND_POINTS } from '#contract/incidents.ts';

export const HOUR_MS = 3_600_000;
/** The trend of a list without a start. */
const USUAL_MS = 14 * 24 * HOUR_MS;

export interface Trend {
  /** Of the first point: a full hour. */
  start: number;
  /** Milliseconds from point to point: full hours. */
  step: number;
  points: number;
}

/** Points in full hours that cover a range, by default the last two weeks. */
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

/** How much later than the block a record without a start must arrive to have begun after it. */
export const IN_FLIGHT_MS = 60_000;

interface RunAfterBlock {
  /** Of the block. */
  at: number;
  completed_at: number | null;
  /** Did any record begin after the block? */
  went_on: boolean;
  /** Did any record arrive after it that may have begun before? */
  in_doubt: boolean;
}

/** Did the agent stop at the block? Null: the run was over. */
export function obeyedOf(run: RunAfterBlock): 'yes' | 'no' | 'unknown' | null {
  if (run.completed_at !== null && run.completed_at <= run.at) return null;
  if (run.went_on) return 'no';
  if (run.in_doubt || run.completed_at === null) return 'unknown';
  return 'yes';
}

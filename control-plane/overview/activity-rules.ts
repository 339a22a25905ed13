import type { Period } from '#contract/fields.ts';
import type { Figures } from '#contract/overview.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import { NO_DURATION, percentileOf } from '../usage/duration-buckets.ts';

/** A time range in milliseconds. Without an end, it covers everything since the start. */
export interface TimeSpan {
  start: number;
  end: number | undefined;
}

const hours: Record<Period, number> = { '1d': 24, '7d': 7 * 24, '30d': 30 * 24 };

interface AskedPeriod {
  start?: number | undefined;
  end?: number | undefined;
  period: Period;
}

/** Returns the period that a request names, and the one before it. */
export function periodsOf({ start, end, period }: AskedPeriod, now: number) {
  const nextHour = (Math.floor((end ?? now) / HOUR_MS) + 1) * HOUR_MS;
  const current = { start: start ?? nextHour - hours[period] * HOUR_MS, end };
  const length = Math.max(0, (end ?? now) - current.start);
  const previous = { start: current.start - length, end: current.start };
  return { current, previous };
}

/** The intervals of the chart: some dozens, whatever the period. */
export interface Steps {
  firstHour: number;
  stepHours: number;
  count: number;
}

const stepLengths = [1, 2, 3, 6, 12, 24, 48, 168, 730, 8766] as const;
const MAX_STEPS = 31;

export function stepsOf({ start, end }: TimeSpan, now: number): Steps {
  const firstHour = Math.floor(start / HOUR_MS);
  const lastHour = Math.max(firstHour, Math.ceil((end ?? now + 1) / HOUR_MS) - 1);
  const length = lastHour - firstHour + 1;
  const fitting = stepLengths.find((hours) => Math.ceil(length / hours) <= MAX_STEPS);
  const stepHours = fitting ?? Math.ceil(length / MAX_STEPS);
  return { firstHour, stepHours, count: Math.ceil(length / stepHours) };
}

/** Rows of totals, each with its interval. */
export interface Activity {
  runs: readonly { step: number; status: string; duration_from: number; run_count: number }[];
  usage: readonly { step: number; calls: number; tokens: number; cost: number }[];
  incidents: readonly { step: number; action: string; count: number }[];
  approvals: readonly { step: number; count: number }[];
}

export function figuresOf({ runs, usage, incidents, approvals }: Activity): Figures {
  const ofStatus = (name: string): number =>
    sum(runs.map(({ status, run_count }) => (status === name ? run_count : 0)));
  const [running, success, errors] = [ofStatus('running'), ofStatus('success'), ofStatus('error')];
  const durations = new Map<number, number>();
  for (const { duration_from, run_count } of runs)
    if (duration_from !== NO_DURATION)
      durations.set(duration_from, (durations.get(duration_from) ?? 0) + run_count);
  return {
    runs: running + success + errors,
    running,
    errors,
    error_rate: success + errors > 0 ? errors / (success + errors) : null,
    duration_p50: percentileOf(durations, 0.5),
    duration_p95: percentileOf(durations, 0.95),
    calls: sum(usage.map(({ calls }) => calls)),
    tokens: sum(usage.map(({ tokens }) => tokens)),
    cost: roundedCost(sum(usage.map(({ cost }) => cost))),
    blocked: sum(incidents.map(({ action, count }) => (action === 'block' ? count : 0))),
    incidents: sum(incidents.map(({ count }) => count)),
    approvals: sum(approvals.map(({ count }) => count)),
  };
}

/**
 * Returns the figures of each interval. Rows beyond the last interval, which a clock that is ahead
 * can cause, count in the last one.
 */
export function courseOf(activity: Activity, { firstHour, stepHours, count }: Steps) {
  const within = <T extends { step: number }>(rows: readonly T[]) =>
    Map.groupBy(rows, ({ step }) => Math.min(step, count - 1));
  const [runs, usage] = [within(activity.runs), within(activity.usage)];
  const [incidents, approvals] = [within(activity.incidents), within(activity.approvals)];
  return Array.from({ length: count }, (_, step) => ({
    start: (firstHour + step * stepHours) * HOUR_MS,
    ...figuresOf({
      runs: runs.get(step) ?? [],
      usage: usage.get(step) ?? [],
      incidents: incidents.get(step) ?? [],
      approvals: approvals.get(step) ?? [],
    }),
  }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

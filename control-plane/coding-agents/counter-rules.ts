import type { Tables } from '../storage/tables.ts';

export type Measure = Tables['coding_counters']['measure'];

/** A data point of a metric that is counted. */
export interface CounterPoint {
  /** Identifies the series within the tenant. */
  series: string;
  agent_name: string;
  user_id: string | null;
  measure: Measure;
  /** In milliseconds since 1970. */
  at: number;
  /** The amount since the last point, or since the start of the series. */
  value: number;
  isDelta: boolean;
}

export interface Counter {
  started_at: number;
  seen_at: number;
  value: number;
}

/** Returns a counter after a data point. It is unchanged if the point was sent before. */
export function advanceCounter(before: Counter | undefined, point: CounterPoint): Counter {
  const value = Math.round(point.value);
  if (!before) return { started_at: point.at, seen_at: point.at, value };
  if (point.at <= before.seen_at) return before;
  return {
    ...before,
    seen_at: point.at,
    value: point.isDelta ? before.value + value : Math.max(before.value, value),
  };
}

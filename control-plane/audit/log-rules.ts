import { DAY_MS } from '#lib/time-units.ts';

/** A filter for the log, from `start_date` inclusive to `end_date` exclusive, in milliseconds. */
export interface LogFilter {
  start_date?: number | undefined;
  end_date?: number | undefined;
  actor_type?: 'user' | 'agent' | 'system' | undefined;
  /** An action, or a prefix followed by `*`. */
  action?: string | undefined;
  /** Ids of actors and of objects. An entry must have one of each. */
  actors?: readonly string[] | undefined;
  resources?: readonly string[] | undefined;
}

/** The columns by which entry counts are grouped. */
export interface EventKind {
  actor_type: 'user' | 'agent' | 'system';
  action: string;
}

export const matchesFilter =
  ({ actor_type, action = '*' }: LogFilter) =>
  (kind: EventKind): boolean =>
    (actor_type === undefined || kind.actor_type === actor_type) &&
    (action.endsWith('*') ? kind.action.startsWith(action.slice(0, -1)) : kind.action === action);

export interface LogRange {
  from: number;
  to: number;
}

/**
 * Splits a range into whole UTC days, which have stored counts, and the partial days at its ends.
 * Days are numbered from 1970, and the end day is exclusive.
 */
export function splitByDay({ start_date, end_date }: LogFilter): {
  days: LogRange;
  parts: LogRange[];
} {
  const from = start_date ?? 0;
  const to = end_date ?? Infinity;
  const days = { from: Math.ceil(from / DAY_MS), to: Math.floor(to / DAY_MS) };
  if (days.from >= days.to) return { days: { from: 0, to: 0 }, parts: partsOf({ from, to }) };
  return {
    days,
    parts: [
      ...partsOf({ from, to: days.from * DAY_MS }),
      ...partsOf({ from: days.to * DAY_MS, to }),
    ],
  };
}

const partsOf = (span: LogRange): LogRange[] => (span.from < span.to ? [span] : []);

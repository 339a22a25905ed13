import { roundedCost } from '../llm-calls/rules.ts';

/** Runs are grouped by session and by tracked user. The two differ only in their names. */
export type GroupKind = 'sessions' | 'users';

/**
 * The totals of all runs of one session or one tracked user. Times and durations are in
 * milliseconds.
 */
export interface GroupRow {
  id: string;
  run_count: number;
  /** The number of failed runs. */
  error_count: number;
  first_at: number;
  last_at: number;
  total_duration: number;
  total_cost: number;
  total_tokens: number;
  agents: string[];
}

/** Returns the fields that both kinds share, with durations in seconds. */
export const totalsOf = ({ run_count, total_duration, total_cost, ...rest }: GroupRow) => ({
  run_count,
  error_count: rest.error_count,
  total_duration: total_duration / 1000,
  total_cost: roundedCost(total_cost),
  total_tokens: rest.total_tokens,
  agents: rest.agents,
});

export const sessionView = (group: GroupRow) => ({
  session_id: group.id,
  first_run: group.first_at,
  last_activity: group.last_at,
  ...totalsOf(group),
});

export const trackedUserView = (group: GroupRow) => ({
  user_id: group.id,
  first_seen: group.first_at,
  last_seen: group.last_at,
  ...totalsOf(group),
});

/** The times of both kinds, with their columns. */
export const timeColumns = {
  last_activity: 'last_at',
  last_seen: 'last_at',
  first_run: 'first_at',
  first_seen: 'first_at',
} as const;

export type GroupTime = keyof typeof timeColumns;

const sortColumns = {
  ...timeColumns,
  run_count: 'run_count',
  error_count: 'error_count',
  total_duration: 'total_duration',
  total_cost: 'total_cost',
  total_tokens: 'total_tokens',
} as const;

export type SortColumn = (typeof sortColumns)[keyof typeof sortColumns];

/** Whether an index has the groups in this order. */
export const isIndexed = (column: SortColumn): boolean =>
  column === 'last_at' || column === 'first_at' || column === 'run_count';

/** Maps the sort field of either kind to its column. */
export const sortOf = <D>(sort: { by: keyof typeof sortColumns; direction: D }) => ({
  by: sortColumns[sort.by],
  direction: sort.direction,
});

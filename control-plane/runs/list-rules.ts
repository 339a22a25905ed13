import type { Action } from '#contract/policy-actions.ts';
import type { runSorts } from '#contract/run-list.ts';

/**
 * A filter for runs. Times are in milliseconds, with `start` ≤ `started_at` < `end`. Durations are
 * in seconds.
 */
export interface RunFilter {
  search?: string | undefined;
  agent?: string | undefined;
  workflow?: string | undefined;
  status?: 'running' | 'success' | 'error' | undefined;
  user?: string | undefined;
  session?: string | undefined;
  team?: string | undefined;
  api_key?: string | undefined;
  model?: readonly string[] | undefined;
  tag?: readonly string[] | undefined;
  environment?: string | undefined;
  version?: string | undefined;
  has_error?: 'true' | 'false' | undefined;
  verdict?: Action | undefined;
  score?: string | undefined;
  score_value?: string | undefined;
  min_score?: number | undefined;
  max_score?: number | undefined;
  min_cost?: number | undefined;
  max_cost?: number | undefined;
  min_duration?: number | undefined;
  max_duration?: number | undefined;
  min_tokens?: number | undefined;
  max_tokens?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

export interface RunSort {
  by: (typeof runSorts)[number];
  direction: 'asc' | 'desc';
}

/** Whether the totals by agent and status are sufficient to count the matching runs. */
export const isCounted = (filter: RunFilter): boolean =>
  Object.entries(filter).every(
    ([name, value]) => name === 'agent' || name === 'status' || isUnset(value),
  );

const isUnset = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

import type { Merging } from '../storage/bulk.ts';
import type { Tables } from '../storage/tables.ts';
import type { UsageTables } from '../storage/tables/usage.ts';

/** The tables that are tallied. Those that count rows of other totals are not. */
type Tallied = Exclude<keyof UsageTables, 'group_totals' | 'agent_group_totals'> | 'prompt_usage';
type Rollups = { [T in Tallied]: Merging<T> };

const TENANT = 'tenant_id';
const calls = ['call_count', 'total_tokens', 'total_cost'] as const;
const group = ['run_count', 'total_duration', 'total_cost', 'total_tokens'] as const;
const scores = ['score_count', 'numeric_count', 'numeric_sum'] as const;

/**
 * The tables of totals: their keys, and how rows with the same key are merged. Every transaction
 * stores them in this order, which prevents deadlocks.
 */
export const rollups: Rollups = {
  run_totals: { key: [TENANT, 'agent_name', 'status'], add: ['run_count'] },
  run_hours: { key: [TENANT, 'hour', 'status', 'duration_from'], add: ['run_count'] },
  run_sessions: {
    key: [TENANT, 'session_id'],
    add: group,
    min: ['first_run'],
    max: ['last_activity'],
    settled: ['run_count', 'first_run'],
  },
  session_agents: { key: [TENANT, 'session_id', 'agent_name'], add: ['run_count'] },
  tracked_users: {
    key: [TENANT, 'user_id'],
    add: group,
    min: ['first_seen'],
    max: ['last_seen'],
    settled: ['run_count', 'first_seen'],
  },
  user_agents: { key: [TENANT, 'user_id', 'agent_name'], add: ['run_count'] },
  user_models: { key: [TENANT, 'user_id', 'model'], add: calls },
  model_totals: { key: [TENANT, 'agent_name', 'model'], add: [...calls, 'unpriced_count'] },
  model_hours: { key: [TENANT, 'agent_name', 'hour', 'model'], add: [...calls, 'revision'] },
  end_user_days: { key: [TENANT, 'end_user_id', 'day'], add: calls },
  score_totals: { key: [TENANT, 'name', 'data_type', 'source'], add: scores },
  score_hours: {
    key: [TENANT, 'agent_name', 'hour', 'name', 'data_type'],
    add: scores,
    min: ['numeric_min'],
    max: ['numeric_max'],
  },
  score_value_hours: {
    key: [TENANT, 'agent_name', 'hour', 'name', 'data_type', 'value'],
    add: ['score_count'],
  },
  prompt_usage: { key: [TENANT, 'content_hash'], add: calls },
};

export type RollupTable = keyof typeof rollups;
/** A row of totals, without `uncounted_below`, the progress of counting a prompt's calls. */
export type RollupRow<T extends RollupTable> = Omit<Tables[T], 'uncounted_below'>;

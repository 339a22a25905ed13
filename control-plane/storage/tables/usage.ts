import type { OfTenant } from './of-tenant.ts';

/**
 * Totals that recording updates in its own transaction, so that reading them does not slow down as
 * history grows.
 */
export interface UsageTables {
  run_totals: RunTotalTable;
  run_hours: RunHourTable;
  run_sessions: RunSessionTable;
  session_agents: SessionAgentTable;
  tracked_users: TrackedUserTable;
  user_agents: UserAgentTable;
  user_models: UserModelTable;
  group_totals: GroupTotalTable;
  agent_group_totals: AgentGroupTotalTable;
  model_totals: ModelTotalTable;
  model_hours: ModelHourTable;
  end_user_days: EndUserDayTable;
  score_totals: ScoreTotalTable;
  score_hours: ScoreHourTable;
  score_value_hours: ScoreValueHourTable;
}

interface RunTotalTable extends OfTenant {
  agent_name: string;
  status: 'running' | 'success' | 'error';
  run_count: number;
}

/** The number of runs by the hour in which they started. */
interface RunHourTable extends OfTenant {
  /** Hours since 1970. */
  hour: number;
  status: 'running' | 'success' | 'error';
  /** The bucket of the duration, as its lower bound in milliseconds; -1 if there is no duration. */
  duration_from: number;
  run_count: number;
}

interface RunSessionTable extends OfTenant {
  session_id: string;
  run_count: number;
  first_run: number;
  last_activity: number;
  /** In milliseconds. */
  total_duration: number;
  total_cost: number;
  total_tokens: number;
}

interface SessionAgentTable extends OfTenant {
  session_id: string;
  agent_name: string;
  run_count: number;
}

interface TrackedUserTable extends OfTenant {
  user_id: string;
  run_count: number;
  first_seen: number;
  last_seen: number;
  /** In milliseconds. */
  total_duration: number;
  total_cost: number;
  total_tokens: number;
}

interface UserAgentTable extends OfTenant {
  user_id: string;
  agent_name: string;
  run_count: number;
}

interface UserModelTable extends OfTenant {
  user_id: string;
  model: string;
  call_count: number;
  total_tokens: number;
  total_cost: number;
}

/** The number of sessions and tracked users. */
interface GroupTotalTable extends OfTenant {
  kind: 'sessions' | 'users';
  total: number;
}

/** The number of sessions and tracked users with a run of an agent. */
interface AgentGroupTotalTable extends GroupTotalTable {
  agent_name: string;
}

/** All-time totals of a model. */
interface ModelTotalTable extends OfTenant {
  agent_name: string;
  model: string;
  call_count: number;
  total_tokens: number;
  total_cost: number;
  unpriced_count: number;
}

interface ModelHourTable extends OfTenant {
  /** Empty in the row for all agents together. */
  agent_name: string;
  /** Hours since 1970. */
  hour: number;
  model: string;
  call_count: number;
  total_tokens: number;
  total_cost: number;
  /** Changes with every change of the hour: each change adds a random number. */
  revision: number;
}

interface ScoreTotalTable extends OfTenant {
  name: string;
  data_type: 'numeric' | 'categorical' | 'boolean';
  source: 'manual' | 'sdk' | 'evaluator';
  score_count: number;
  numeric_count: number;
  numeric_sum: number;
}

interface ScoreHourTable extends OfTenant {
  /** Empty in the row for all agents together. */
  agent_name: string;
  /** Hours since 1970. */
  hour: number;
  name: string;
  data_type: 'numeric' | 'categorical' | 'boolean';
  score_count: number;
  numeric_count: number;
  numeric_sum: number;
  numeric_min: number | null;
  numeric_max: number | null;
}

/** The number of times each value of a categorical or boolean score was given. */
interface ScoreValueHourTable extends OfTenant {
  /** Empty in the row for all agents together. */
  agent_name: string;
  /** Hours since 1970. */
  hour: number;
  name: string;
  data_type: 'numeric' | 'categorical' | 'boolean';
  value: string;
  score_count: number;
}

/**
 * The usage of an end user's runs on one UTC day. The end user is `end_user_id`, or else `user_id`.
 */
interface EndUserDayTable extends OfTenant {
  end_user_id: string;
  /** Days since 1970. */
  day: number;
  call_count: number;
  total_tokens: number;
  total_cost: number;
}

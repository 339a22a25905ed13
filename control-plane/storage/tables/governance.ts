import type { Action, Phase, PolicyMode, Severity } from '#contract/policy-actions.ts';
import type { OfTenant } from './of-tenant.ts';

export interface GovernanceTables {
  policies: PolicyTable;
  policy_states: PolicyStateTable;
  policy_checks: PolicyCheckTable;
  policy_sets: PolicySetTable;
  evaluations: EvaluationTable;
  incidents: IncidentTable;
  incident_hours: IncidentHourTable;
  end_user_limits: EndUserLimitTable;
}

export interface PolicyTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  category: string;
  /** JSON with all defaults filled in. */
  rules: string;
  /** JSON: `agents`, `workflows`, `user_groups`; an absent or empty list matches all. */
  scope: string;
  /** Lower numbers are evaluated first. */
  priority: number;
  enabled: number;
  /** The severity of the incidents that it opens. */
  severity: Severity;
  mode: PolicyMode;
  /** Incremented with every change; the first is 1. */
  version: number;
  created_at: number;
  updated_at: number;
}

/** The state that policies keep per subject, such as counters and circuits. */
interface PolicyStateTable extends OfTenant {
  subject: string;
  /** JSON with the state of each policy by its id. */
  states: string;
  updated_at: number;
}

/** The results of all policies for one check. */
export interface PolicyCheckTable extends OfTenant {
  id: string;
  agent_name: string;
  workflow_name: string;
  created_at: number;
  outcome_count: number;
  /** The key of the evaluated policy set, unique among those of its day. */
  policy_set_key: string;
  /** JSON: for each of these policies, an array of its action, its reason and optional metadata. */
  outcomes: string;
}

/** A set of policies that checks of a day evaluated. */
export interface PolicySetTable extends OfTenant {
  /** Days since 1970. */
  day: number;
  key: string;
  /**
   * JSON: for each policy, an array of its id, and its name and category at that time. An entry
   * without an id means that no policy applied.
   */
  policies: string;
}

/** The result of a policy for a run. */
export interface EvaluationTable extends OfTenant {
  id: string;
  run_id: number;
  policy_id: string;
  /** The name of the policy at that time. */
  policy_name: string;
  category: string;
  phase: Phase;
  action: Action;
  reason: string;
  metadata: string;
  agent_name: string;
  workflow_name: string;
  /** Number of identical results: repeated evaluations for a run are counted, not stored again. */
  evaluation_count: number;
  created_at: number;
  updated_at: number;
}

/** A finding of a policy, or of an inventory rule, that needs attention. */
export interface IncidentTable extends OfTenant {
  id: string;
  /**
   * Shared by the incidents of one policy, agent and cause: `control-plane/lib/incident-group.ts`.
   */
  group_id: string;
  source: 'policy' | 'inventory';
  run_id: number | null;
  policy_id: string;
  policy_name: string;
  category: string;
  action: Action;
  reason: string;
  metadata: string;
  agent_name: string;
  workflow_name: string;
  /** For findings of policies, these columns are null, and `holds` is 0. */
  device_id: string | null;
  hostname: string | null;
  app_group_id: string | null;
  app_name: string | null;
  /**
   * Whether the rule currently matches the app on the device, regardless of the incident's status.
   */
  holds: number;
  status: 'open' | 'acknowledged' | 'resolved';
  severity: Severity;
  /** The id of a user; null if unassigned. */
  assignee_id: string | null;
  note: string;
  /** The number of occurrences since it was opened. */
  occurrences: number;
  created_at: number;
  updated_at: number;
  last_seen_at: number;
}

/** The occurrences of a group of incidents in an hour. */
export interface IncidentHourTable extends OfTenant {
  group_id: string;
  /** Hours since 1970. */
  hour: number;
  occurrences: number;
}

/** The limits of an end user, or of each end user of a group. */
interface EndUserLimitTable extends OfTenant {
  kind: 'user' | 'group';
  id: string;
  /** In USD; null for no cap. */
  monthly_budget: number | null;
  requests_per_minute: number | null;
  updated_at: number;
}

export interface PolicyVersionTables {
  policy_versions: PolicyVersionTable;
}

/** One change of a policy, which is kept when the policy is deleted. */
export interface PolicyVersionTable extends OfTenant {
  policy_id: string;
  /** The version of the policy after the change; a deletion has one too. */
  version: number;
  change: 'create' | 'update' | 'delete' | 'restore';
  /** The name of the policy at that time. */
  name: string;
  actor_type: 'user' | 'agent';
  actor_id: string;
  note: string;
  /** JSON of the policy as in the API; null if it did not exist. */
  before: string | null;
  after: string | null;
  created_at: number;
}

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
  /** JSON, with every default filled in. */
  rules: string;
  /** JSON: `agents`, `workflows`, `user_groups`; an absent or empty list matches all. */
  scope: string;
  /** Lower numbers are evaluated first. */
  priority: number;
  enabled: number;
  /** The severity of its incidents. */
  severity: Severity;
  mode: PolicyMode;
  /** Incremented with every change; the first is 1. */
  version: number;
  created_at: number;
  updated_at: number;
}

/** State that policies keep per subject: counters, a circuit. */
interface PolicyStateTable extends OfTenant {
  subject: string;
  /** JSON: the state of each policy, by its id. */
  states: string;
  updated_at: number;
}

/** Results of all policies for one check. */
export interface PolicyCheckTable extends OfTenant {
  id: string;
  agent_name: string;
  workflow_name: string;
  created_at: number;
  outcome_count: number;
  /** The key of the evaluated policy set, among those of its day. */
  policy_set_key: string;
  /**
   * JSON: for each of these policies an array of its action, its reason and optionally metadata.
   */
  outcomes: string;
}

/** Sets of policies evaluated by checks of a day. */
export interface PolicySetTable extends OfTenant {
  /** Days since 1970. */
  day: number;
  key: string;
  /**
   * JSON: for each an array of its id, and its name and category at that time. An entry without an
   * id means that none applied.
   */
  policies: string;
}

/** Result of a policy for a run. */
export interface EvaluationTable extends OfTenant {
  id: string;
  run_id: number;
  policy_id: string;
  /** The name at that time. */
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
  /** Shared by the incidents of one policy, agent and cause: `control-plane/lib/incident-group.ts`. */
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
  /** These are null, and the last 0, for findings of policies. */
  device_id: string | null;
  hostname: string | null;
  app_group_id: string | null;
  app_name: string | null;
  /** Does the rule currently match the app on the device, whatever the status of the incident? */
  holds: number;
  status: 'open' | 'acknowledged' | 'resolved';
  severity: Severity;
  /** The id of a user; null for none. */
  assignee_id: string | null;
  note: string;
  /** Number of occurrences since it was opened. */
  occurrences: number;
  created_at: number;
  updated_at: number;
  last_seen_at: number;
}

/** Occurrences of a group of incidents in an hour. */
export interface IncidentHourTable extends OfTenant {
  group_id: string;
  /** Hours since 1970. */
  hour: number;
  occurrences: number;
}

/** Limits of an end user, or of each end user of a group. */
interface EndUserLimitTable extends OfTenant {
  kind: 'user' | 'group';
  id: string;
  /** USD; null for no cap. */
  monthly_budget: number | null;
  requests_per_minute: number | null;
  updated_at: number;
}

export interface PolicyVersionTables {
  policy_versions: PolicyVersionTable;
}

/** One change of a policy; kept when the policy is deleted. */
export interface PolicyVersionTable extends OfTenant {
  policy_id: string;
  /** The policy's version since then; a deletion has one too. */
  version: number;
  change: 'create' | 'update' | 'delete' | 'restore';
  /** Name of the policy at that time. */
  name: string;
  actor_type: 'user' | 'agent';
  actor_id: string;
  note: string;
  /** JSON of the policy in API form; null if there was none. */
  before: string | null;
  after: string | null;
  created_at: number;
}

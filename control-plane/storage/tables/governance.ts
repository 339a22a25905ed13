import type { Action, Phase } from '#contract/policy-words.ts';
import type { OfTenant } from './of-tenant.ts';

export interface GovernanceTables {
  policies: PolicyTable;
  policy_states: PolicyStateTable;
  policy_checks: PolicyCheckTable;
  asked_policies: PolicySetTable;
  evaluations: EvaluationTable;
  incidents: IncidentTable;
  end_user_limits: EndUserLimitTable;
}

export interface PolicyTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  category: string;
  /** JSON, with every default filled in. */
  rules: string;
  /** JSON: `agents`, `workflows`, `user_groups`; an absent or empty list stands for all. */
  scope: string;
  /** Lower numbers are asked first. */
  priority: number;
  enabled: number;
  /** Counts the changes; the first is 1. */
  version: number;
  created_at: number;
  updated_at: number;
}

/** What policies remember of one subject: counters, a circuit. */
interface PolicyStateTable extends OfTenant {
  subject: string;
  /** JSON: by the ids of policies what each remembers. */
  states: string;
  updated_at: number;
}

/** What policies answered to one check. */
export interface PolicyCheckTable extends OfTenant {
  id: string;
  agent_name: string;
  workflow_name: string;
  created_at: number;
  answer_count: number;
  /** The key of the policies that answered, among those of its day. */
  asked: string;
  /** JSON: of each of these policies an array of its action, its reason and perhaps metadata. */
  answers: string;
}

/** Policies that checks of a day were put to. */
export interface PolicySetTable extends OfTenant {
  /** Days since 1970. */
  day: number;
  key: string;
  /**
   * JSON: for each an array of its id, and its name and category as they were then. One without an
   * id says that none applied.
   */
  policies: string;
}

/** What a policy answered about a run. */
export interface EvaluationTable extends OfTenant {
  id: string;
  run_id: number;
  policy_id: string;
  /** As it was called then. */
  policy_name: string;
  category: string;
  phase: Phase;
  action: Action;
  reason: string;
  metadata: string;
  agent_name: string;
  workflow_name: string;
  /** How often it was answered: what a run is asked again and again is counted, not repeated. */
  evaluation_count: number;
  created_at: number;
  updated_at: number;
}

/** What a policy, or a rule on the inventory, found that somebody should look at. */
export interface IncidentTable extends OfTenant {
  id: string;
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
  /** These are null, and the last 0, for what a policy found. */
  device_id: string | null;
  hostname: string | null;
  app_group_id: string | null;
  app_name: string | null;
  /** Does the rule find the app on the device now, whatever a person made of the incident? */
  holds: number;
  status: 'open' | 'acknowledged' | 'resolved';
  note: string;
  /** How often it happened since it was opened. */
  occurrences: number;
  created_at: number;
  updated_at: number;
}

/** What an end user, or each end user of a group, may use. */
interface EndUserLimitTable extends OfTenant {
  kind: 'user' | 'group';
  id: string;
  /** USD; null for no cap. */
  monthly_budget: number | null;
  requests_per_minute: number | null;
  updated_at: number;
}

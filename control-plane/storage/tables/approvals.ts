import type { OfTenant } from './of-tenant.ts';

export interface ApprovalTables {
  approvals: ApprovalTable;
}

/** An agent's request for approval, and the decision. */
export interface ApprovalTable extends OfTenant {
  id: string;
  policy_id: string;
  /** The name of the policy at that time. */
  policy_name: string;
  agent_name: string;
  workflow_name: string;
  action_type: string;
  /** The requesting instance; empty if there is none, because a null would not be unique. */
  agent_id: string;
  user_id: string;
  reason: string;
  /**
   * JSON of the masked request: inputs, tools, models, estimated cost and risk. Null for requests
   * of earlier versions.
   */
  request: string | null;
  /** JSON array of the users who may decide. If empty, all administrators may. */
  approvers: string;
  timeout_minutes: number;
  /**
   * A request that was not decided in time is stored as expired when the same request is made
   * again.
   */
  status: 'pending' | 'approved' | 'denied' | 'expired';
  created_at: number;
  /** When the time for a decision ends. */
  expires_at: number;
  /** When the decision, or the expiry, stops applying. */
  holds_until: number;
  decided_at: number | null;
  /** The e-mail address of a user, or the id of an API key. */
  decided_by: string | null;
  note: string;
}

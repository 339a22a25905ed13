import type { OfTenant } from './of-tenant.ts';

export interface ApprovalTables {
  approvals: ApprovalTable;
}

/** A request of an agent for approval, and the decision. */
export interface ApprovalTable extends OfTenant {
  id: string;
  policy_id: string;
  /** The name at that time. */
  policy_name: string;
  agent_name: string;
  workflow_name: string;
  action_type: string;
  /** The requesting instance; empty for none: a null would not be unique. */
  agent_id: string;
  user_id: string;
  reason: string;
  /**
   * JSON: what is to be done: inputs, tools, models, estimated cost, risk; masked. Null for requests
   * of earlier versions.
   */
  request: string | null;
  /** JSON: the users who may decide; empty: all administrators. */
  approvers: string;
  timeout_minutes: number;
  /**
   * A request that was not decided in time is stored as expired on the next request for the same.
   */
  status: 'pending' | 'approved' | 'denied' | 'expired';
  created_at: number;
  /** Until when it can be decided. */
  expires_at: number;
  /** Until when the decision, or the expiry, applies. */
  holds_until: number;
  decided_at: number | null;
  /** The e-mail address of a user, or the id of an API key. */
  decided_by: string | null;
  note: string;
}

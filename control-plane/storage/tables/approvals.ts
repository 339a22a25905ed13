import type { OfTenant } from './of-tenant.ts';

export interface ApprovalTables {
  approvals: ApprovalTable;
}

/** What an agent asked people to allow it, and what they said. */
export interface ApprovalTable extends OfTenant {
  id: string;
  policy_id: string;
  /** As it was called then. */
  policy_name: string;
  agent_name: string;
  workflow_name: string;
  action_type: string;
  /** Of the instance that asked; empty for none: a null would not be unique. */
  agent_id: string;
  user_id: string;
  reason: string;
  /** JSON: who may decide; an empty list stands for all administrators. */
  approvers: string;
  timeout_minutes: number;
  /** What nobody decided in time is stored as expired when somebody next asks for the same. */
  status: 'pending' | 'approved' | 'denied' | 'expired';
  created_at: number;
  /** Until when it can be decided. */
  expires_at: number;
  /** Until when it counts what was decided, or that nothing was. */
  holds_until: number;
  decided_at: number | null;
  /** The e-mail address of a user, or the id of an API key. */
  decided_by: string | null;
  note: string;
}

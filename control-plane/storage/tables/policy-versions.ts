import type { OfTenant } from './of-tenant.ts';

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

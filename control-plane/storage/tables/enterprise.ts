import type { AddOnCode } from '#contract/enterprise.ts';
import type { OfTenant } from './of-tenant.ts';

export interface EnterpriseTables {
  tenants: TenantTable;
  quota_days: QuotaDayTable;
  sub_user_sessions: SubUserSessionTable;
  tenant_add_ons: TenantAddOnTable;
}

interface TenantTable {
  id: string;
  name: string;
  /** Grows by one with every change that devices must learn of. */
  config_version: number;
  created_at: number;
  /** Null for the tenant that the installation began with. */
  parent_id: string | null;
  /** Unique among the sub-tenants of one parent; null without a parent. */
  slug: string | null;
  external_id: string | null;
  contact_email: string | null;
  /** Null: it is active. */
  suspended_at: number | null;
  suspend_reason: string | null;
  /** Null: as much as the parent may. */
  max_agents: number | null;
  max_tokens_per_day: number | null;
  max_agent_runs_per_day: number | null;
  /** Null: the region of the parent. */
  region_code: string | null;
  /** Null: not since it was created. */
  updated_at: number | null;
}

/** What a sub-tenant and all below it used on one UTC day. */
interface QuotaDayTable extends OfTenant {
  /** Days since 1970. */
  day: number;
  run_count: number;
  total_tokens: number;
}

/** A token that was issued for one of a customer's own users. */
interface SubUserSessionTable extends OfTenant {
  id: string;
  sub_user_id: string;
  email: string | null;
  display_name: string | null;
  /** JSON arrays of names, also of the customer's own. */
  roles: string;
  permissions: string;
  /**
   * Those of them that were names of ours when the token was issued: a name that becomes one of ours
   * later gives nothing to tokens that carry it already.
   */
  known_roles: string;
  known_permissions: string;
  /** A user's id or a key's. */
  issued_by: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

interface TenantAddOnTable extends OfTenant {
  code: AddOnCode;
  activated_at: number;
}

import type { Generated } from 'kysely';
import type { AddOnCode } from '#contract/route.ts';
import type { OfTenant } from './of-tenant.ts';

export interface TenancyTables {
  tenants: TenantTable;
  quota_days: QuotaDayTable;
  sub_user_sessions: SubUserSessionTable;
  tenant_add_ons: TenantAddOnTable;
}

interface TenantTable {
  id: string;
  name: string;
  /** Incremented with every change that devices must receive. */
  config_version: number;
  /** The version of the last change that concerned every device. */
  fleet_config_version: Generated<number>;
  created_at: number;
  /** Null for the installation's first tenant. */
  parent_id: string | null;
  /** Unique among the sub-tenants of one parent; null without a parent. */
  slug: string | null;
  external_id: string | null;
  contact_email: string | null;
  /** Null while the tenant is active. */
  suspended_at: number | null;
  suspend_reason: string | null;
  /** Null for the parent's limit. */
  max_agents: number | null;
  max_tokens_per_day: number | null;
  max_agent_runs_per_day: number | null;
  /** Null for the parent's region. */
  region_code: string | null;
  /** Null if it has not changed since it was created. */
  updated_at: number | null;
}

/** The usage of a sub-tenant and its descendants on one UTC day. */
interface QuotaDayTable extends OfTenant {
  /** Days since 1970. */
  day: number;
  run_count: number;
  total_tokens: number;
}

/** A token issued for one of a customer's own users. */
interface SubUserSessionTable extends OfTenant {
  id: string;
  sub_user_id: string;
  email: string | null;
  display_name: string | null;
  /** JSON arrays of names, including the customer's own. */
  roles: string;
  permissions: string;
  /**
   * The names among them that were built-in when the token was issued. A name that becomes built-in
   * later grants nothing to existing tokens.
   */
  known_roles: string;
  known_permissions: string;
  /** The id of a user or of an API key. */
  issued_by: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

interface TenantAddOnTable extends OfTenant {
  code: AddOnCode;
  activated_at: number;
}

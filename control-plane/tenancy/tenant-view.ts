import { z } from 'zod';
import { subTenant } from '#contract/sub-tenants.ts';
import type { Tenant } from './queries.ts';
import { quotasOf } from './rules.ts';

/** A stored sub-tenant in the form handlers return. */
export const tenantView = (tenant: Tenant) => ({
  ...tenant,
  status: tenant.suspended_at === null ? ('active' as const) : ('suspended' as const),
  slug: tenant.slug ?? '',
  parent_id: tenant.parent_id ?? '',
  quotas: quotasOf(tenant),
  updated_at: tenant.updated_at ?? tenant.created_at,
});

/** Wire format, as stored in the audit log. */
export const onWire = (tenant: Tenant): unknown => z.encode(subTenant, tenantView(tenant));

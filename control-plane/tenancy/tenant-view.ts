import { z } from 'zod';
import { subTenant } from '#contract/sub-tenants.ts';
import type { Tenant } from './queries.ts';
import { quotasOf } from './rules.ts';

/** A stored sub-tenant as handlers answer it. */
export const tenantView = (tenant: Tenant) => ({
  ...tenant,
  status: tenant.suspended_at === null ? ('active' as const) : ('suspended' as const),
  slug: tenant.slug ?? '',
  parent_id: tenant.parent_id ?? '',
  quotas: quotasOf(tenant),
  updated_at: tenant.updated_at ?? tenant.created_at,
});

/** As it goes over the wire: what the audit log keeps. */
export const onWire = (tenant: Tenant): unknown => z.encode(subTenant, tenantView(tenant));

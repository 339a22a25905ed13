import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** What a sub-tenant may use; null for as much as its parent may. */
export const quotaFields = ['max_agents', 'max_tokens_per_day', 'max_agent_runs_per_day'] as const;
export type QuotaField = (typeof quotaFields)[number];

const quota = count.nullable();

export const quotas = z.object({
  max_agents: quota.meta({ description: 'names of agents that have runs' }),
  max_tokens_per_day: quota.meta({ description: 'of LLM calls, from midnight to midnight UTC' }),
  max_agent_runs_per_day: quota.meta({ description: 'started from midnight to midnight UTC' }),
});
export type Quotas = z.output<typeof quotas>;

const someQuotas = z.strictObject(quotas.partial().shape);

export const tenantStatus = z.enum(['active', 'suspended']);

const listed = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().meta({ description: 'made of the first name; unique among its siblings' }),
  status: tenantStatus,
  external_id: z.string().nullable(),
  parent_id: z.string(),
  created_at: timestamp,
});

export const subTenant = listed.extend({
  contact_email: z.string().nullable(),
  quotas,
  suspend_reason: z.string().nullable(),
  suspended_at: timestamp.nullable(),
  updated_at: timestamp,
});

/** With what it used today (UTC) together with all below it, and the least quotas above and of it. */
const usedSubTenant = subTenant.extend({
  limits: quotas,
  usage: z.object({ agents: count, tokens_today: count, runs_today: count }),
});

const fields = {
  name: z.string().trim().min(1).max(200),
  external_id: z.string().min(1).max(200).nullable().optional(),
  contact_email: z.email().max(320).nullable().optional(),
  quotas: someQuotas.optional(),
};

export const newSubTenant = z.strictObject(fields);

export const subTenantChange = z
  .strictObject({ ...fields, name: fields.name.optional() })
  .refine((change) => Object.keys(change).length > 0, 'expected at least one field to change')
  .meta({ examples: [{ quotas: { max_agents: 20 } }] });

const common = { auth: 'admin', errors: 'coded' } as const;
const one = { ...common, params: z.object({ sub_tenant_id: z.string() }) } as const;

export const subTenantRoutes = routes({
  listSubTenants: {
    ...common,
    method: 'GET',
    path: '/svc/v1/sub-tenants/',
    summary: 'Sub-tenants directly below this tenant, or below one of its sub-tenants',
    refuses: [404],
    query: z.object({
      parent_id: z.string().optional(),
      status: tenantStatus.optional(),
      external_id: z.string().optional(),
    }),
    response: z.object({ sub_tenants: z.array(listed) }),
  },
  createSubTenant: {
    ...common,
    method: 'POST',
    path: '/svc/v1/sub-tenants/',
    summary: 'Create a sub-tenant with a CA and an API key of its own; the key is shown only now',
    status: 201,
    body: newSubTenant,
    response: subTenant.extend({ api_key: z.string() }),
  },
  getSubTenant: {
    ...one,
    method: 'GET',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/',
    summary: 'A sub-tenant, what it may use and what it used today',
    response: usedSubTenant,
  },
  updateSubTenant: {
    ...one,
    method: 'PATCH',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/',
    summary: 'Change a sub-tenant: what is left out stays, also within the quotas',
    body: subTenantChange,
    response: subTenant,
  },
  suspendSubTenant: {
    ...one,
    method: 'POST',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/suspend/',
    summary: 'Stop service for a sub-tenant and all below it, at once',
    body: z.strictObject({ reason: z.string().max(1000).default('') }),
    response: subTenant,
  },
  resumeSubTenant: {
    ...one,
    method: 'POST',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/resume/',
    summary: 'Take service up again',
    response: subTenant,
  },
});

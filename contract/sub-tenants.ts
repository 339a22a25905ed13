import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** The quotas of a sub-tenant. Null means that only its parent limits it. */
export const quotaFields = ['max_agents', 'max_tokens_per_day', 'max_agent_runs_per_day'] as const;
export type QuotaField = (typeof quotaFields)[number];

const quota = count.nullable();

export const quotas = z.object({
  max_agents: quota.meta({ description: 'number of agent names with runs' }),
  max_tokens_per_day: quota.meta({ description: 'tokens of LLM calls per UTC day' }),
  max_agent_runs_per_day: quota.meta({ description: 'runs started per UTC day' }),
});
export type Quotas = z.output<typeof quotas>;

const someQuotas = z.strictObject(quotas.partial().shape);

export const tenantStatus = z.enum(['active', 'suspended']);

const listed = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().meta({ description: 'derived from the original name; unique among siblings' }),
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

/**
 * A sub-tenant with today's usage (UTC) including that of its descendants, and the effective
 * quotas, which include those of its ancestors.
 */
const subTenantWithUsage = subTenant.extend({
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
    summary: 'List the direct sub-tenants of this tenant, or of one of its descendants',
    errorStatuses: [404],
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
    summary: 'Create a sub-tenant with its own CA and API key; the key is only returned here',
    status: 201,
    body: newSubTenant,
    response: subTenant.extend({ api_key: z.string() }),
  },
  getSubTenant: {
    ...one,
    method: 'GET',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/',
    summary: "One sub-tenant with its effective quotas and today's usage",
    response: subTenantWithUsage,
  },
  updateSubTenant: {
    ...one,
    method: 'PATCH',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/',
    summary: 'Change a sub-tenant; omitted fields and quotas stay unchanged',
    body: subTenantChange,
    response: subTenant,
  },
  suspendSubTenant: {
    ...one,
    method: 'POST',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/suspend/',
    summary: 'Suspend a sub-tenant and its descendants immediately',
    body: z.strictObject({ reason: z.string().max(1000).default('') }),
    response: subTenant,
  },
  resumeSubTenant: {
    ...one,
    method: 'POST',
    path: '/svc/v1/sub-tenants/{sub_tenant_id}/resume/',
    summary: 'Resume a suspended sub-tenant',
    response: subTenant,
  },
});

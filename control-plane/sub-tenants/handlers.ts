import { z } from 'zod';
import { subTenant, type subTenantRoutes } from '#contract/sub-tenants.ts';
import { type Tenant, listDescendants, listSubTenants, updateTenant } from '../tenants/queries.ts';
import { quotasOf, effectiveQuotasOf } from './rules.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import { permissions } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { refuseExcessGrant } from '../identity/refuse-excess-grant.ts';
import type { Grant } from '../identity/permission-rules.ts';
import type { Handlers } from '../handler.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { createSubTenant, prepareSubTenant } from './create-sub-tenant.ts';
import { countAgents, findDays } from '../tenants/quota-usage/quota-queries.ts';
import { dayOf } from '../lib/calendar.ts';
import { NO_USAGE } from '../tenants/quota-usage/quota-rules.ts';
import { tenantQuotasLock } from '../storage/locks.ts';
import { refuseConflict, refuseDuplicateExternalId } from './conflicts.ts';
import { findSubTenantOf } from './find-sub-tenant.ts';

/**
 * The grant for the API key of a new sub-tenant, which does not expire and has all permissions in
 * it.
 */
const withFirstKey: Grant = { permissions, neverExpires: true };

export const subTenantHandlers: Handlers<typeof subTenantRoutes> = {
  async listSubTenants({ storage: { db } }, { caller: { tenantId }, query }) {
    const { parent_id = tenantId, ...filter } = query;
    if (parent_id !== tenantId) await findSubTenantOf(db, tenantId, parent_id);
    const tenants = await listSubTenants(db, parent_id, filter);
    return { sub_tenants: tenants.map(tenantView) };
  },

  async createSubTenant(context, request) {
    const { caller, body } = request;
    await refuseExcessGrant(context.storage.db, context, caller, withFirstKey);
    const prepared = await prepareSubTenant(context);
    const tenant = await withAudit(context, request, async (tx, audit) => {
      await tx.lock(tenantQuotasLock);
      await refuseExcessGrant(tx.db, context, caller, withFirstKey);
      const created = await createSubTenant(tx, context, caller.tenantId, body, prepared);
      audit({
        action: 'sub_tenant.create',
        ...resource(created.id),
        after: encodeTenant(created),
      });
      return created;
    });
    announce(context, tenant.id);
    return { ...tenantView(tenant), api_key: prepared.apiKey };
  },

  async getSubTenant(context, { caller, params }) {
    const { db } = context.storage;
    const lineage = await findSubTenantOf(db, caller.tenantId, params.sub_tenant_id);
    const [tenant] = lineage;
    const [today = NO_USAGE] = await findDays(db, [tenant.id], dayOf(context.now()));
    const usage = {
      agents: await countAgents(db, tenant.id),
      tokens_today: today.total_tokens,
      runs_today: today.run_count,
    };
    return { ...tenantView(tenant), limits: effectiveQuotasOf(lineage), usage };
  },

  async updateSubTenant(context, request) {
    const { caller, params, body } = request;
    const { quotas = {}, ...fields } = body;
    const tenant = await withAudit(context, request, async (tx, audit) => {
      await tx.lock(tenantQuotasLock);
      const [before, ...above] = await findSubTenantOf(
        tx.db,
        caller.tenantId,
        params.sub_tenant_id,
      );
      refuseConflict(quotas, effectiveQuotasOf(above), await listDescendants(tx.db, before.id));
      await refuseDuplicateExternalId(
        tx.db,
        above[0]?.id ?? '',
        body.external_id ?? null,
        before.id,
      );
      const change = { ...fields, ...quotas, updated_at: context.now() };
      const after = await updateTenant(tx, before.id, change);
      audit({
        action: 'sub_tenant.update',
        ...resource(before.id),
        before: encodeTenant(before),
        after: encodeTenant(after),
      });
      return after;
    });
    announce(context, tenant.id);
    return tenantView(tenant);
  },

  suspendSubTenant: (context, request) => setSuspended(context, request, request.body.reason),

  resumeSubTenant: (context, request) => setSuspended(context, request, null),
};

type StatusRequest = ApiRequest<(typeof subTenantRoutes)['resumeSubTenant' | 'suspendSubTenant']>;

/**
 * Suspends a sub-tenant if a reason is given, and resumes it otherwise. The signal applies the
 * change immediately in every process, also for descendants.
 */
async function setSuspended(
  context: Context,
  request: Pick<StatusRequest, 'caller' | 'params' | 'address'>,
  suspend_reason: string | null,
) {
  const { tenantId } = request.caller;
  const tenant = await withAudit(context, request, async (tx, audit) => {
    await tx.lock(tenantQuotasLock);
    const [before] = await findSubTenantOf(tx.db, tenantId, request.params.sub_tenant_id);
    const isSuspending = suspend_reason !== null;
    if (isSuspending === (before.suspended_at !== null))
      throw new ApiError(
        'already_done',
        `the sub-tenant ${before.id} is already ${tenantView(before).status}`,
      );
    const now = context.now();
    const suspended_at = isSuspending ? now : null;
    const change = { suspend_reason, suspended_at, updated_at: now };
    const after = await updateTenant(tx, before.id, change);
    audit({
      action: isSuspending ? 'sub_tenant.suspend' : 'sub_tenant.resume',
      ...resource(before.id),
      before: encodeTenant(before),
      after: encodeTenant(after),
    });
    return after;
  });
  announce(context, tenant.id);
  return tenantView(tenant);
}

const resource = (id: string) => ({ resource_type: 'sub_tenant', resource_id: id });

const announce = ({ storage }: Context, tenantId: string): void =>
  storage.signals.publish({ tenant_id: tenantId, topic: 'tenants' });

/** Converts a stored sub-tenant to the form that handlers return. */
export const tenantView = (tenant: Tenant) => ({
  ...tenant,
  status: tenant.suspended_at === null ? ('active' as const) : ('suspended' as const),
  slug: tenant.slug ?? '',
  parent_id: tenant.parent_id ?? '',
  quotas: quotasOf(tenant),
  updated_at: tenant.updated_at ?? tenant.created_at,
});

/** Converts a tenant to the form of the API, which the audit log stores. */
export const encodeTenant = (tenant: Tenant): unknown => z.encode(subTenant, tenantView(tenant));

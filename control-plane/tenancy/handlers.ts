import { ApiError } from '#contract/errors.ts';
import type { subTenantRoutes } from '#contract/sub-tenants.ts';
import { withAudit } from '../audit/changing.ts';
import { permissions } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { refuseBeyond } from '../identity/refuse-beyond.ts';
import type { Grant } from '../identity/permission-rules.ts';
import type { Call, Handlers } from '../http/handler.ts';
import { createSubTenant, prepareSubTenant } from './create-sub-tenant.ts';
import { countAgents, findDays } from './quota-usage/quota-queries.ts';
import { dayOf } from '../lib/days.ts';
import { NOTHING_USED } from './quota-usage/quota-rules.ts';
import { listBelow, listSubTenants, updateTenant } from './queries.ts';
import { findBelow, refuseConflict, refuseDuplicateExternalId } from './refusals.ts';
import { limitsOf } from './rules.ts';
import { onWire, tenantView } from './tenant-view.ts';

/** A sub-tenant comes with a non-expiring API key that has every permission in it. */
const withFirstKey: Grant = { permissions, lasts: true };

/** Lock name: quotas depend on those of ancestors and descendants, so changes are serialized. */
const ALL = 'sub-tenants';

export const subTenantHandlers: Handlers<typeof subTenantRoutes> = {
  async listSubTenants({ storage: { db } }, { caller: { tenantId }, query }) {
    const { parent_id = tenantId, ...filter } = query;
    if (parent_id !== tenantId) await findBelow(db, tenantId, parent_id);
    const tenants = await listSubTenants(db, parent_id, filter);
    return { sub_tenants: tenants.map(tenantView) };
  },

  async createSubTenant(context, call) {
    const { caller, body } = call;
    await refuseBeyond(context, context.storage.db, caller, withFirstKey);
    const prepared = await prepareSubTenant(context);
    const tenant = await withAudit(context, call, async (trx, audit) => {
      await context.storage.lock(trx, ALL);
      await refuseBeyond(context, trx, caller, withFirstKey);
      const created = await createSubTenant(context, trx, caller.tenantId, body, prepared);
      await audit({ action: 'sub_tenant.create', ...resource(created.id), after: onWire(created) });
      return created;
    });
    announce(context, tenant.id);
    return { ...tenantView(tenant), api_key: prepared.apiKey };
  },

  async getSubTenant(context, { caller, params }) {
    const { db } = context.storage;
    const lineage = await findBelow(db, caller.tenantId, params.sub_tenant_id);
    const [tenant] = lineage;
    const [today = NOTHING_USED] = await findDays(db, [tenant.id], dayOf(context.now()));
    const usage = {
      agents: await countAgents(db, tenant.id),
      tokens_today: today.total_tokens,
      runs_today: today.run_count,
    };
    return { ...tenantView(tenant), limits: limitsOf(lineage), usage };
  },

  async updateSubTenant(context, call) {
    const { caller, params, body } = call;
    const { quotas = {}, ...fields } = body;
    const tenant = await withAudit(context, call, async (trx, audit) => {
      await context.storage.lock(trx, ALL);
      const [before, ...above] = await findBelow(trx, caller.tenantId, params.sub_tenant_id);
      refuseConflict(quotas, limitsOf(above), await listBelow(trx, before.id));
      await refuseDuplicateExternalId(trx, above[0]?.id ?? '', body.external_id ?? null, before.id);
      const change = { ...fields, ...quotas, updated_at: context.now() };
      const after = await updateTenant(trx, before.id, change);
      await audit({
        action: 'sub_tenant.update',
        ...resource(before.id),
        before: onWire(before),
        after: onWire(after),
      });
      return after;
    });
    announce(context, tenant.id);
    return tenantView(tenant);
  },

  suspendSubTenant: (context, call) => setSuspended(context, call, call.body.reason),

  resumeSubTenant: (context, call) => setSuspended(context, call, null),
};

type StatusCall = Call<(typeof subTenantRoutes)['resumeSubTenant' | 'suspendSubTenant']>;

/**
 * Suspends with a reason, or resumes without one. The signal applies it immediately in every
 * process, for descendants too.
 */
async function setSuspended(
  context: Context,
  call: Pick<StatusCall, 'caller' | 'params' | 'address'>,
  suspend_reason: string | null,
) {
  const { tenantId } = call.caller;
  const tenant = await withAudit(context, call, async (trx, audit) => {
    await context.storage.lock(trx, ALL);
    const [before] = await findBelow(trx, tenantId, call.params.sub_tenant_id);
    const isSuspending = suspend_reason !== null;
    if (isSuspending === (before.suspended_at !== null))
      throw new ApiError(
        'conflict',
        `the sub-tenant ${before.id} is already ${tenantView(before).status}`,
      );
    const now = context.now();
    const suspended_at = isSuspending ? now : null;
    const change = { suspend_reason, suspended_at, updated_at: now };
    const after = await updateTenant(trx, before.id, change);
    await audit({
      action: isSuspending ? 'sub_tenant.suspend' : 'sub_tenant.resume',
      ...resource(before.id),
      before: onWire(before),
      after: onWire(after),
    });
    return after;
  });
  announce(context, tenant.id);
  return tenantView(tenant);
}

const resource = (id: string) => ({ resource_type: 'sub_tenant', resource_id: id });

const announce = ({ storage }: Context, tenantId: string): void =>
  storage.signals.publish({ tenant_id: tenantId, topic: 'tenants' });

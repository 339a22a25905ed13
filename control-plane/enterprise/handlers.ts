import type { enterpriseRoutes } from '#contract/enterprise.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { findTenantAndAncestors, updateTenant, activeAddOns } from '../tenants/queries.ts';
import { findSubTenantOf } from '../sub-tenants/find-sub-tenant.ts';
import { addOnCode, addOns } from './add-ons.ts';
import { deleteAddOn, insertAddOn, listIncidentsWithin } from './queries.ts';
import { regionOf, regions, usualRegion } from './regions.ts';

export const enterpriseHandlers: Handlers<typeof enterpriseRoutes> = {
  listRegions: () => ({ regions: [...regions] }),

  async getTenantRegion({ storage }, { caller }) {
    const lineage = await findTenantAndAncestors(storage.db, caller.tenantId);
    return { region: inheritedRegion(lineage) };
  },

  async setTenantRegion(context, request) {
    const { tenantId } = request.caller;
    const region = regionOf(request.body.region_code);
    if (!region)
      throw new ApiError(
        'validation_error',
        `region_code: unknown region ${JSON.stringify(request.body.region_code)}: expected one of ${listOf(regions)}`,
      );
    await withAudit(context, request, async (tx, audit) => {
      const before = inheritedRegion(await findTenantAndAncestors(tx.db, tenantId));
      await updateTenant(tx, tenantId, { region_code: region.code, updated_at: context.now() });
      audit({
        action: 'tenant.set_region',
        resource_type: 'tenant',
        resource_id: tenantId,
        before: { region: before },
        after: { region },
      });
    });
    return { region };
  },

  async listAddOns(context, { caller }) {
    const active = await activeAddOns(context, caller.tenantId);
    return {
      add_ons: addOns.map((addOn) => ({
        ...addOn,
        status: active.has(addOn.code) ? ('active' as const) : ('available' as const),
      })),
    };
  },

  listTenantAddOns: (context, { caller }) => activeOf(context, caller.tenantId),

  async activateAddOn(context, request) {
    const { tenantId } = request.caller;
    const code = addOnCode(request.body.add_on_code);
    await withAudit(context, request, async (tx, audit) => {
      if (await insertAddOn(tx, tenantId, code, context.now()))
        audit({ action: 'add_on.activate', resource_type: 'add_on', resource_id: code });
    });
    return activeOf(context, tenantId);
  },

  async cancelAddOn(context, request) {
    const { tenantId } = request.caller;
    const code = addOnCode(request.params.add_on_code);
    await withAudit(context, request, async (tx, audit) => {
      if (!(await deleteAddOn(tx, tenantId, code)))
        throw new ApiError('not_found', `the add-on "${code}" is not active`);
      audit({ action: 'add_on.cancel', resource_type: 'add_on', resource_id: code });
    });
    return activeOf(context, tenantId);
  },

  async listComplianceIncidents(context, { caller: { tenantId }, query, url }) {
    const { reader } = context.storage;
    const { sub_tenant_id = tenantId, ...filter } = query;
    if (sub_tenant_id !== tenantId) await findSubTenantOf(reader, tenantId, sub_tenant_id);
    return pageOf(url, query, await listIncidentsWithin(reader, sub_tenant_id, filter));
  },
};

/** Returns the region of the tenant, or else of its nearest ancestor with a region. */
const inheritedRegion = (lineage: readonly { region_code: string | null }[]) => {
  const chosen = lineage.find(({ region_code }) => region_code !== null)?.region_code;
  return (chosen && regionOf(chosen)) || usualRegion;
};

const listOf = (offers: readonly { code: string }[]): string =>
  offers.map(({ code }) => code).join(', ');

async function activeOf(context: Context, tenantId: string) {
  const active = await activeAddOns(context, tenantId);
  return {
    add_ons: addOns
      .filter(({ code }) => active.has(code))
      .map((addOn) => ({ ...addOn, status: 'active' as const })),
  };
}

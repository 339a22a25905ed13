import type { AddOnCode, enterpriseRoutes } from '#contract/enterprise.ts';
import { ApiError } from '#contract/errors.ts';
import { changing } from '../audit/changing.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { pageOf } from '../http/page.ts';
import { findLine, updateTenant } from '../tenancy/queries.ts';
import { findBelow } from '../tenancy/refusals.ts';
import { activeAddOns, addOns, isFirst, requireAddOn } from './add-ons.ts';
import { deleteAddOn, insertAddOn, listIncidentsWithin } from './queries.ts';
import { regionOf, regions, usualRegion } from './regions.ts';

export const enterpriseHandlers: Handlers<typeof enterpriseRoutes> = {
  listRegions: () => ({ regions: [...regions] }),

  async getTenantRegion({ storage }, { caller }) {
    const line = await findLine(storage.db, caller.tenantId);
    return { region: regionOfLine(line) };
  },

  async setTenantRegion(context, call) {
    const { tenantId } = call.caller;
    const region = regionOf(call.body.region_code);
    if (!region)
      throw new ApiError(
        'validation_error',
        `region_code: there is no region ${JSON.stringify(call.body.region_code)}: there are ${listOf(regions)}`,
      );
    await changing(context, call, async (trx, audit) => {
      const before = regionOfLine(await findLine(trx, tenantId));
      await updateTenant(trx, tenantId, { region_code: region.code, updated_at: context.now() });
      await audit({
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

  async activateAddOn(context, call) {
    const { tenantId } = call.caller;
    const code = codeOf(call.body.add_on_code);
    if (!code)
      throw new ApiError(
        'validation_error',
        `add_on_code: there is no add-on ${JSON.stringify(call.body.add_on_code)}: there are ${listOf(addOns)}`,
      );
    const isOwned = await isFirst(context.storage, tenantId);
    await changing(context, call, async (trx, audit) => {
      if (isOwned || !(await insertAddOn(trx, tenantId, code, context.now())))
        throw new ApiError('conflict', `the add-on "${code}" is active already`);
      await audit({ action: 'add_on.activate', resource_type: 'add_on', resource_id: code });
    });
    return activeOf(context, tenantId);
  },

  async cancelAddOn(context, call) {
    const { tenantId } = call.caller;
    const code = codeOf(call.params.add_on_code);
    if (await isFirst(context.storage, tenantId))
      throw new ApiError('conflict', 'the tenant of the installation itself has every add-on');
    await changing(context, call, async (trx, audit) => {
      if (!code || !(await deleteAddOn(trx, tenantId, code)))
        throw new ApiError(
          'not_found',
          `there is no active add-on ${JSON.stringify(call.params.add_on_code)}`,
        );
      await audit({ action: 'add_on.cancel', resource_type: 'add_on', resource_id: code });
    });
    return activeOf(context, tenantId);
  },

  async listComplianceIncidents(context, { caller: { tenantId }, query, url }) {
    await requireAddOn(context, tenantId, 'insights');
    const { reader } = context.storage;
    const { sub_tenant_id = tenantId, ...filter } = query;
    if (sub_tenant_id !== tenantId) await findBelow(reader, tenantId, sub_tenant_id);
    return pageOf(url, query, await listIncidentsWithin(reader, sub_tenant_id, filter));
  },
};

/** The region that the tenant has chosen, or else the nearest above it that has. */
const regionOfLine = (line: readonly { region_code: string | null }[]) => {
  const chosen = line.find(({ region_code }) => region_code !== null)?.region_code;
  return (chosen && regionOf(chosen)) || usualRegion;
};

const codeOf = (given: string): AddOnCode | undefined =>
  addOns.find(({ code }) => code === given)?.code;

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

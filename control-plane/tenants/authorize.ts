import { ApiError } from '#contract/errors.ts';
import type { Access, AddOnCode } from '#contract/route.ts';
import type { Credential } from '../http/caller.ts';
import type { Storage } from '../storage/open.ts';
import { activeAddOns } from './queries.ts';
import { type FindTenantState, statesOfTenantAndAncestors } from './tenant-states.ts';

interface Tenants {
  findTenantState: FindTenantState;
  storage: Pick<Storage, 'db'>;
}

/**
 * Checks what a valid credential may call. This applies to every kind of credential: keys,
 * sessions, tokens and certificates, and also passwords, signed links and open channels of devices.
 *
 * @throws ApiError `forbidden` if its tenant is suspended and the route is not one for leaving it,
 * if it lacks the permission or role, or if its tenant lacks the add-on of the route
 */
export async function authorize<Caller>(
  tenants: Tenants,
  credential: Credential<Caller>,
  access: Access,
): Promise<Caller> {
  const mayLeave = access.allowsSuspendedTenant && credential.isSession;
  if (!mayLeave) await refuseSuspended(tenants, credential.tenantId);
  const caller = await credential.callerOf(access);
  if (access.addOn) await requireAddOn(tenants, credential.tenantId, access.addOn);
  return caller;
}

async function refuseSuspended(tenants: Tenants, tenantId: string): Promise<void> {
  if (await isSuspended(tenants, tenantId))
    throw new ApiError('tenant_suspended', 'this tenant is suspended');
}

/** Whether a tenant is suspended. Suspending a tenant also suspends its descendants. */
export async function isSuspended(
  { findTenantState }: Pick<Tenants, 'findTenantState'>,
  tenantId: string,
): Promise<boolean> {
  const lineage = await statesOfTenantAndAncestors(findTenantState, tenantId);
  return lineage.some(({ suspended_at }) => suspended_at !== null);
}

async function requireAddOn(tenants: Tenants, tenantId: string, code: AddOnCode): Promise<void> {
  if ((await activeAddOns(tenants, tenantId)).has(code)) return;
  throw new ApiError('add_on_required', `the add-on "${code}" is not active`, {
    add_on_code: code,
  });
}

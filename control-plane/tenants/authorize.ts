import { ApiError } from '#contract/errors.ts';
import type { Access, AddOnCode } from '#contract/route.ts';
import type { Credential } from '../http/caller.ts';
import type { Storage } from '../storage/open.ts';
import { activeAddOns } from './add-ons.ts';
import { type LimitsOf, limitsOfTenantAndAncestors } from './tenant-limits.ts';

interface Tenants {
  limitsOf: LimitsOf;
  storage: Pick<Storage, 'db'>;
}

/**
 * Checks what a valid credential may call. Every kind of credential passes here: keys, sessions,
 * tokens and certificates, and also passwords, signed links and open channels of devices.
 *
 * @throws ApiError `forbidden` if its tenant is suspended, it lacks the permission or role, or its
 *   tenant lacks the add-on of the route
 */
export async function authorize<Caller>(
  tenants: Tenants,
  credential: Credential<Caller>,
  access: Access,
): Promise<Caller> {
  await refuseSuspended(tenants, credential.tenantId);
  const caller = await credential.callerOf(access);
  if (access.addOn) await requireAddOn(tenants, credential.tenantId, access.addOn);
  return caller;
}

/** A suspended tenant suspends its descendants. */
async function refuseSuspended({ limitsOf }: Tenants, tenantId: string): Promise<void> {
  const lineage = await limitsOfTenantAndAncestors(limitsOf, tenantId);
  if (lineage.some(({ suspended_at }) => suspended_at !== null))
    throw new ApiError('tenant_suspended', 'this tenant is suspended');
}

async function requireAddOn(tenants: Tenants, tenantId: string, code: AddOnCode): Promise<void> {
  if ((await activeAddOns(tenants, tenantId)).has(code)) return;
  throw new ApiError('add_on_required', `the add-on "${code}" is not active`, {
    add_on_code: code,
  });
}

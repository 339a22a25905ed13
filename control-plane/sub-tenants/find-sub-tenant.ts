import { ApiError } from '#contract/errors.ts';
import type { Db } from '../storage/open.ts';
import { findTenantAndAncestors, type Tenant } from '../tenants/queries.ts';

/**
 * Finds a descendant of a tenant. Returns its lineage, the descendant first.
 *
 * @throws ApiError `not_found` if it does not exist or is not a descendant
 */
export async function findSubTenantOf(
  db: Db,
  tenantId: string,
  id: string,
): Promise<[Tenant, ...Tenant[]]> {
  const [tenant, ...above] = await findTenantAndAncestors(db, id);
  if (!tenant || !above.some((one) => one.id === tenantId))
    throw new ApiError('not_found', `there is no sub-tenant ${JSON.stringify(id)}`);
  return [tenant, ...above];
}

import { ApiError } from '#contract/errors.ts';
import type { Quotas } from '#contract/sub-tenants.ts';
import type { Db } from '../storage/open.ts';
import { findTenantAndAncestors, listSubTenants, type Tenant } from './queries.ts';
import { findConflict, type QuotaConflict } from './rules.ts';

export type SomeQuotas = { [K in keyof Quotas]?: Quotas[K] | undefined };

/** @throws ApiError `quota_exceeded`: above what the parent may, or below what a sub-tenant has */
export function refuseConflict(
  change: SomeQuotas,
  limits: Quotas,
  below: Parameters<typeof findConflict>[2],
): void {
  const conflict = findConflict(change, limits, below);
  if (!conflict) return;
  // Lowered, it is itself the limit that a sub-tenant would exceed.
  throw new ApiError('quota_exceeded', lineFor(conflict), {
    parent_limit: conflict.requested,
    ...conflict,
  });
}

const lineFor = (conflict: QuotaConflict): string =>
  'parent_limit' in conflict
    ? `quotas.${conflict.field}: ${conflict.requested} is more than the parent's limit of ${conflict.parent_limit}`
    : `quotas.${conflict.field}: ${conflict.requested} is less than the ${conflict.sub_tenant_quota} of the sub-tenant ${conflict.sub_tenant_id}`;

/** @throws ApiError `conflict` when a sibling has this external id */
export async function refuseTaken(
  db: Db,
  parentId: string,
  externalId: string | null,
  self?: string,
): Promise<void> {
  if (externalId === null) return;
  const siblings = await listSubTenants(db, parentId, { external_id: externalId });
  const other = siblings.find(({ id }) => id !== self);
  if (other)
    throw new ApiError('conflict', `the external_id "${externalId}" is that of ${other.id}`);
}

/**
 * The line of a sub-tenant anywhere below a tenant, itself first.
 *
 * @throws ApiError `not_found`, for whom it is not there as for whom it is not below
 */
export async function findBelow(
  db: Db,
  tenantId: string,
  id: string,
): Promise<[Tenant, ...Tenant[]]> {
  const [tenant, ...above] = await findTenantAndAncestors(db, id);
  if (!tenant || !above.some((one) => one.id === tenantId))
    throw new ApiError('not_found', `there is no sub-tenant ${JSON.stringify(id)}`);
  return [tenant, ...above];
}

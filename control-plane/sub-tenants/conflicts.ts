import { ApiError } from '#contract/errors.ts';
import type { Db } from '../storage/open.ts';
import { listSubTenants } from '../tenants/queries.ts';
import type { Quotas } from '#contract/sub-tenants.ts';
import { findConflict, type QuotaConflict } from './rules.ts';

export type SomeQuotas = { [K in keyof Quotas]?: Quotas[K] | undefined };

/**
 * @throws ApiError `quota_exceeded` if a quota is above the parent's limit, or below the quota of a
 * sub-tenant
 */
export function refuseConflict(
  change: SomeQuotas,
  limits: Quotas,
  below: Parameters<typeof findConflict>[2],
): void {
  const conflict = findConflict(change, limits, below);
  if (!conflict) return;
  // The requested quota is itself the limit that the sub-tenant would exceed.
  throw new ApiError('quota_exceeded', lineFor(conflict), {
    parent_limit: conflict.requested,
    ...conflict,
  });
}

const lineFor = (conflict: QuotaConflict): string =>
  'parent_limit' in conflict
    ? `quotas.${conflict.field}: ${conflict.requested} is more than the parent's limit of ${conflict.parent_limit}`
    : `quotas.${conflict.field}: ${conflict.requested} is less than the ${conflict.sub_tenant_quota} of the sub-tenant ${conflict.sub_tenant_id}`;

/**
 * @throws ApiError `conflict` if a sibling has this external id
 */
export async function refuseDuplicateExternalId(
  db: Db,
  parentId: string,
  externalId: string | null,
  self?: string,
): Promise<void> {
  if (externalId === null) return;
  const siblings = await listSubTenants(db, parentId, { external_id: externalId });
  const other = siblings.find(({ id }) => id !== self);
  if (other)
    throw new ApiError(
      'already_exists',
      `the external_id "${externalId}" is already used by ${other.id}`,
    );
}

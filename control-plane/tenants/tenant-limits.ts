import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { findTenantLimits, type TenantLimits } from './queries.ts';

/** Returns the limits and ancestry of a tenant; undefined if there is no such tenant. */
export type LimitsOf = (tenantId: string) => Promise<TenantLimits | undefined>;

/** Creates a cache of the limits of tenants. */
export const tenantLimits = ({ db, signals }: Pick<Storage, 'db' | 'signals'>): LimitsOf =>
  tenantCache(signals, 'tenants', (id) => findTenantLimits(db, id));

/**
 * Returns a tenant and its ancestors, the tenant first. Each tenant is cached separately, so that
 * one change needs one signal.
 */
export async function limitsOfTenantAndAncestors(
  limitsOf: LimitsOf,
  tenantId: string,
): Promise<TenantLimits[]> {
  const lineage: TenantLimits[] = [];
  for (let id: string | null = tenantId; id !== null;) {
    const limits: TenantLimits | undefined = await limitsOf(id);
    if (!limits) break;
    lineage.push(limits);
    id = limits.parent_id;
  }
  return lineage;
}

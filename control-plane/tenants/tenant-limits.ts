import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { findTenantLimits, type TenantLimits } from './queries.ts';

/** Limits and ancestry of a tenant. Undefined if there is no such tenant. */
export type LimitsOf = (tenantId: string) => Promise<TenantLimits | undefined>;

/** The limits of tenants, cached. */
export const tenantLimits = ({ db, signals }: Pick<Storage, 'db' | 'signals'>): LimitsOf =>
  tenantCache(signals, 'tenants', (id) => findTenantLimits(db, id));

/**
 * A tenant and its ancestors, itself first. Each tenant is cached separately, so one change needs
 * one signal.
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

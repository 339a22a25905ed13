import { ApiError } from '#contract/errors.ts';
import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { findTenantLimits, type TenantLimits } from './queries.ts';

type Find = (tenantId: string) => Promise<TenantLimits | undefined>;

// Keyed by storage, because recording code has only the storage at hand.
const caches = new WeakMap<Storage, Find>();

/** Limits and ancestry of a tenant, cached. Undefined if there is no such tenant. */
export function getTenantLimits(
  storage: Storage,
  tenantId: string,
): Promise<TenantLimits | undefined> {
  let find = caches.get(storage);
  if (!find) {
    find = tenantCache(storage.signals, 'tenants', (id) => findTenantLimits(storage.db, id));
    caches.set(storage, find);
  }
  return find(tenantId);
}

/**
 * A tenant and its ancestors, itself first. Each tenant is cached separately, so one change needs
 * one signal.
 */
export async function limitsOfTenantAndAncestors(
  storage: Storage,
  tenantId: string,
): Promise<TenantLimits[]> {
  const lineage: TenantLimits[] = [];
  for (let id: string | null = tenantId; id !== null;) {
    const limits: TenantLimits | undefined = await getTenantLimits(storage, id);
    if (!limits) break;
    lineage.push(limits);
    id = limits.parent_id;
  }
  return lineage;
}

/**
 * Rejects requests of suspended tenants and their descendants.
 *
 * @throws ApiError `forbidden`
 */
export async function refuseSuspended(storage: Storage, tenantId: string): Promise<void> {
  const lineage = await limitsOfTenantAndAncestors(storage, tenantId);
  if (lineage.some(({ suspended_at }) => suspended_at !== null))
    throw new ApiError('forbidden', 'this tenant is suspended');
}

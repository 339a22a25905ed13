import { ApiError } from '#contract/errors.ts';
import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { findTenantLimits, type TenantLimits } from './queries.ts';

type Find = (tenantId: string) => Promise<TenantLimits | undefined>;

// Recording has no more than the storage in hand when it asks, so the storage is what leads here.
const known = new WeakMap<Storage, Find>();

/** Where a tenant stands and what it may use, remembered. Undefined when there is no such tenant. */
export function getTenantLimits(
  storage: Storage,
  tenantId: string,
): Promise<TenantLimits | undefined> {
  let find = known.get(storage);
  if (!find) {
    find = tenantCache(storage.signals, 'tenants', (id) => findTenantLimits(storage.db, id));
    known.set(storage, find);
  }
  return find(tenantId);
}

/** A tenant and all above it, itself first. Each is remembered alone: one change, one signal. */
export async function limitsOfTenantAndAncestors(
  storage: Storage,
  tenantId: string,
): Promise<TenantLimits[]> {
  const line: TenantLimits[] = [];
  for (let id: string | null = tenantId; id !== null;) {
    const standing: TenantLimits | undefined = await getTenantLimits(storage, id);
    if (!standing) break;
    line.push(standing);
    id = standing.parent_id;
  }
  return line;
}

/**
 * Whoever is suspended, or stands below somebody who is, gets no service.
 *
 * @throws ApiError `forbidden`
 */
export async function refuseSuspended(storage: Storage, tenantId: string): Promise<void> {
  const line = await limitsOfTenantAndAncestors(storage, tenantId);
  if (line.some(({ suspended_at }) => suspended_at !== null))
    throw new ApiError('forbidden', 'this tenant is suspended');
}

import { ApiError } from '#contract/errors.ts';
import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { findStanding, type Standing } from './queries.ts';

type Find = (tenantId: string) => Promise<Standing | undefined>;

// Recording has no more than the storage in hand when it asks, so the storage is what leads here.
const known = new WeakMap<Storage, Find>();

/** Where a tenant stands and what it may use, remembered. Undefined when there is no such tenant. */
export function standingOf(storage: Storage, tenantId: string): Promise<Standing | undefined> {
  let find = known.get(storage);
  if (!find) {
    find = tenantCache(storage.signals, 'tenants', (id) => findStanding(storage.db, id));
    known.set(storage, find);
  }
  return find(tenantId);
}

/** A tenant and all above it, itself first. Each is remembered alone: one change, one signal. */
export async function lineOf(storage: Storage, tenantId: string): Promise<Standing[]> {
  const line: Standing[] = [];
  for (let id: string | null = tenantId; id !== null;) {
    const standing: Standing | undefined = await standingOf(storage, id);
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
  const line = await lineOf(storage, tenantId);
  if (line.some(({ suspended_at }) => suspended_at !== null))
    throw new ApiError('forbidden', 'this tenant is suspended');
}

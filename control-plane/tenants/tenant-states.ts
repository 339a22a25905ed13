import type { Storage } from '../storage/open.ts';
import { tenantCache } from '../storage/tenant-cache.ts';
import { readTenantState, type TenantState } from './queries.ts';

/** Returns the parent, suspension and quotas of a tenant; undefined if there is no such tenant. */
export type FindTenantState = (tenantId: string) => Promise<TenantState | undefined>;

/** Creates a cache of what every request needs to know about its tenant. */
export const createTenantStateCache = ({
  db,
  signals,
}: Pick<Storage, 'db' | 'signals'>): FindTenantState =>
  tenantCache(signals, 'tenants', (id) => readTenantState(db, id));

/**
 * Returns a tenant and its ancestors, the tenant first. Each tenant is cached separately, so that
 * one change needs one signal.
 */
export async function statesOfTenantAndAncestors(
  findTenantState: FindTenantState,
  tenantId: string,
): Promise<TenantState[]> {
  const lineage: TenantState[] = [];
  for (let id: string | null = tenantId; id !== null;) {
    const state: TenantState | undefined = await findTenantState(id);
    if (!state) break;
    lineage.push(state);
    id = state.parent_id;
  }
  return lineage;
}

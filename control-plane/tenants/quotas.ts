import type { Storage } from '../storage/open.ts';
import { findDays } from './quota-usage/quota-queries.ts';
import { refuseNewAgent } from './quota-usage/refuse-new-agent.ts';
import { dayOf } from '../lib/calendar.ts';
import { findUsedUp, isCounted, NO_USAGE } from './quota-usage/quota-rules.ts';
import { type FindTenantState, statesOfTenantAndAncestors } from './tenant-states.ts';
import type { TenantState } from './queries.ts';

/**
 * Returns, for each of these tenants, those with quotas among itself and its ancestors. A tenant
 * without any is omitted. Must be called before a transaction begins, because on SQLite it cannot run within one.
 */
export async function tenantsWithQuotas(
  findTenantState: FindTenantState,
  tenantIds: Iterable<string>,
): Promise<Map<string, TenantState[]>> {
  const lineages = new Map<string, TenantState[]>();
  for (const tenantId of new Set(tenantIds)) {
    const counted = (await statesOfTenantAndAncestors(findTenantState, tenantId)).filter(isCounted);
    if (counted.length > 0) lineages.set(tenantId, counted);
  }
  return lineages;
}

/**
 * Checks whether an agent with this name may start a run now. It reserves nothing: a run is counted
 * when it starts.
 *
 * @throws ApiError `quota_exhausted`, which names the exhausted quota
 */
export async function requireQuotas(
  {
    storage,
    findTenantState,
    now: clock,
  }: { storage: Storage; findTenantState: FindTenantState; now: () => number },
  tenantId: string,
  { agent_name }: { agent_name: string },
): Promise<void> {
  const lineage = (await tenantsWithQuotas(findTenantState, [tenantId])).get(tenantId);
  if (!lineage) return;
  const { db } = storage;
  const now = clock();
  const ids = lineage.map(({ id }) => id);
  const used = new Map((await findDays(db, ids, dayOf(now))).map((row) => [row.tenant_id, row]));
  const refusal =
    findUsedUp(lineage, (id) => used.get(id) ?? NO_USAGE, now) ??
    (await refuseNewAgent(
      db,
      { tenant_id: tenantId, agent_name },
      { lineage, newAgents: new Map(), now },
    ));
  if (refusal) throw refusal;
}

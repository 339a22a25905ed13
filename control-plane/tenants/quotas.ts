import type { Storage } from '../storage/open.ts';
import { findDays } from './quota-usage/quota-queries.ts';
import { refuseNewAgent } from './quota-usage/refuse-new-agent.ts';
import { dayOf } from '../lib/calendar.ts';
import { findUsedUp, isCounted, NO_USAGE } from './quota-usage/quota-rules.ts';
import { type LimitsOf, limitsOfTenantAndAncestors } from './tenant-limits.ts';
import type { TenantLimits } from './queries.ts';

/**
 * Returns, for each of these tenants, those with quotas among itself and its ancestors. A tenant
 * without any is omitted. Must be called before a transaction begins, because on SQLite it cannot run within one.
 */
export async function tenantsWithQuotas(
  limitsOf: LimitsOf,
  tenantIds: Iterable<string>,
): Promise<Map<string, TenantLimits[]>> {
  const lineages = new Map<string, TenantLimits[]>();
  for (const tenantId of new Set(tenantIds)) {
    const counted = (await limitsOfTenantAndAncestors(limitsOf, tenantId)).filter(isCounted);
    if (counted.length > 0) lineages.set(tenantId, counted);
  }
  return lineages;
}

/**
 * Checks whether an agent with this name may start a run now. It reserves nothing: a run is counted
 * when it starts.
 *
 * @throws ApiError `rate_limited`, which names the exhausted quota
 */
export async function requireQuotas(
  { storage, limitsOf, now: clock }: { storage: Storage; limitsOf: LimitsOf; now: () => number },
  tenantId: string,
  { agent_name }: { agent_name: string },
): Promise<void> {
  const lineage = (await tenantsWithQuotas(limitsOf, [tenantId])).get(tenantId);
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

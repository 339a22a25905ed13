import type { Storage } from '../storage/open.ts';
import { findDays } from './quota-usage/quota-queries.ts';
import { refuseNewAgent } from './quota-usage/refuse-new-agent.ts';
import { dayOf } from '../lib/days.ts';
import { findUsedUp, isCounted, NOTHING_USED } from './quota-usage/quota-rules.ts';
import { limitsOfTenantAndAncestors } from './tenant-limits.ts';
import type { TenantLimits } from './queries.ts';

/**
 * For each of these tenants those of its line that are counted; who is not counted is left out.
 * Asked before a transaction begins: on SQLite it could not be answered within one.
 */
export async function tenantsWithQuotas(
  storage: Storage,
  tenantIds: Iterable<string>,
): Promise<Map<string, TenantLimits[]>> {
  const lines = new Map<string, TenantLimits[]>();
  for (const tenantId of new Set(tenantIds)) {
    const counted = (await limitsOfTenantAndAncestors(storage, tenantId)).filter(isCounted);
    if (counted.length > 0) lines.set(tenantId, counted);
  }
  return lines;
}

/**
 * May an agent of this name start a run now? Takes nothing: a run is counted when it starts.
 *
 * @throws ApiError `rate_limited`, naming the quota that is used up
 */
export async function admit(
  { storage, now: clock }: { storage: Storage; now: () => number },
  tenantId: string,
  { agent_name }: { agent_name: string },
): Promise<void> {
  const line = (await tenantsWithQuotas(storage, [tenantId])).get(tenantId);
  if (!line) return;
  const { db } = storage;
  const now = clock();
  const ids = line.map(({ id }) => id);
  const used = new Map((await findDays(db, ids, dayOf(now))).map((row) => [row.tenant_id, row]));
  const refusal =
    findUsedUp(line, (id) => used.get(id) ?? NOTHING_USED, now) ??
    (await refuseNewAgent(
      db,
      { tenant_id: tenantId, agent_name },
      { line, newcomers: new Map(), now },
    ));
  if (refusal) throw refusal;
}

import type { Db } from '../storage/open.ts';

/** Counts the runs by status, and the agents, from the totals and without a scan. */
export async function countRuns(db: Db, tenantId: string) {
  const rows = await db
    .selectFrom('run_totals')
    .select(['agent_name', 'status', 'run_count'])
    .where('tenant_id', '=', tenantId)
    .where('run_count', '>', 0)
    .execute();
  const counts = { running: 0, success: 0, error: 0 };
  for (const { status, run_count } of rows) counts[status] += run_count;
  return { runs: counts, agents: new Set(rows.map(({ agent_name }) => agent_name)).size };
}

/** Returns the usage of all agents since an hour (in hours since 1970). */
export async function usageSince(db: Db, tenantId: string, hour: number) {
  const used = await db
    .selectFrom('model_hours')
    .select((eb) => [
      eb.fn.sum<number | null>('call_count').as('calls'),
      eb.fn.sum<number | null>('total_tokens').as('tokens'),
      eb.fn.sum<number | null>('total_cost').as('cost'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('agent_name', '=', '')
    .where('hour', '>=', hour)
    .executeTakeFirstOrThrow();
  return { calls: used.calls ?? 0, tokens: used.tokens ?? 0, cost: used.cost ?? 0 };
}

export async function countIncidents(db: Db, tenantId: string) {
  const rows = await db
    .selectFrom('incidents')
    .select('status')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('status', 'in', ['open', 'acknowledged'])
    .groupBy('status')
    .execute();
  const of = (name: string): number => rows.find(({ status }) => status === name)?.count ?? 0;
  return { open: of('open'), acknowledged: of('acknowledged') };
}

/** Counts the approvals that can still be decided. */
export async function countPendingApprovals(
  db: Db,
  tenantId: string,
  now: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('approvals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

export const listDeviceStates = (db: Db, tenantId: string) =>
  db
    .selectFrom('devices')
    .select(['status', 'last_seen', 'disconnected_at'])
    .where('tenant_id', '=', tenantId)
    .execute();

/** Counts the active devices, and those of them whose agent reports problems. */
export async function countDevices(db: Db, tenantId: string) {
  const { active, with_problems } = await db
    .selectFrom('devices')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active')
    .select((eb) => [
      eb.fn.countAll<number>().as('active'),
      eb.fn
        .sum<number | null>(eb.case().when('problems', '!=', '[]').then(1).else(0).end())
        .as('with_problems'),
    ])
    .executeTakeFirstOrThrow();
  return { active, with_problems: with_problems ?? 0 };
}

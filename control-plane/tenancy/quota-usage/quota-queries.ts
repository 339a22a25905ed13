import type { Bulk } from '../../storage/bulk.ts';
import type { Db, Trx } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import { within } from '../queries.ts';

export type DayCount = Tables['quota_days'];

const merging = { key: ['tenant_id', 'day'], add: ['run_count', 'total_tokens'] } as const;

/** Adds to the days of tenants. `rows` are in the order of their tenants, everywhere. */
export const addToDays = (trx: Trx, bulk: Bulk, rows: readonly DayCount[]): Promise<void> =>
  bulk.merge(trx, 'quota_days', merging, rows);

/** What these tenants used on a day; who used nothing is left out. */
export function findDays(db: Db, tenantIds: readonly string[], day: number): Promise<DayCount[]> {
  return db
    .selectFrom('quota_days')
    .selectAll()
    .where('tenant_id', 'in', tenantIds)
    .where('day', '=', day)
    .execute();
}

/** Has an agent of this name a run? */
export async function isKnownAgent(db: Db, tenantId: string, agent: string): Promise<boolean> {
  const found = await db
    .selectFrom('run_totals')
    .select('agent_name')
    .where('tenant_id', '=', tenantId)
    .where('agent_name', '=', agent)
    .where('run_count', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** How many agents have runs in a tenant and all below it; the same name in two of them is two. */
export async function countAgents(db: Db, tenantId: string): Promise<number> {
  const { agents } = await within(db, tenantId)
    .selectFrom((from) =>
      from
        .selectFrom('run_totals')
        .innerJoin('within', 'within.id', 'run_totals.tenant_id')
        .select(['run_totals.tenant_id', 'run_totals.agent_name'])
        .where('run_count', '>', 0)
        .groupBy(['run_totals.tenant_id', 'run_totals.agent_name'])
        .as('known'),
    )
    .select((eb) => eb.fn.countAll<number>().as('agents'))
    .executeTakeFirstOrThrow();
  return agents;
}

import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Tx } from '../../storage/transaction.ts';
import { withDescendants } from '../queries.ts';

export type DayCount = Tables['quota_days'];

const merging = { key: ['tenant_id', 'day'], add: ['run_count', 'total_tokens'] } as const;

/** Adds to the daily usage of tenants. `rows` must be sorted by tenant. */
export const addToDays = (tx: Tx, rows: readonly DayCount[]): Promise<void> =>
  tx.bulk.merge('quota_days', merging, rows);

/** Finds the usage of these tenants on a day. Tenants without usage are omitted. */
export function findDays(db: Db, tenantIds: readonly string[], day: number): Promise<DayCount[]> {
  return db
    .selectFrom('quota_days')
    .selectAll()
    .where('tenant_id', 'in', tenantIds)
    .where('day', '=', day)
    .execute();
}

/** Whether an agent with this name has a run. */
export async function hasRuns(db: Db, tenantId: string, agent: string): Promise<boolean> {
  const row = await db
    .selectFrom('run_totals')
    .select('agent_name')
    .where('tenant_id', '=', tenantId)
    .where('agent_name', '=', agent)
    .where('run_count', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts the agents with runs in a tenant and its descendants. The same name in two tenants counts
 * twice.
 */
export async function countAgents(db: Db, tenantId: string): Promise<number> {
  const { agents } = await withDescendants(db, tenantId)
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

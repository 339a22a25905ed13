import { sql } from 'kysely';
import { roundedCost } from '../llm-calls/rules.ts';
import type { Db } from '../storage/open.ts';
import type { Hours } from './period.ts';
import type { ModelDay } from './model-rules.ts';

/**
 * Returns the usage by model and UTC day since an hour, of one agent or of all. It includes calls
 * with future timestamps, as lists do.
 */
export function listModelDays(
  db: Db,
  tenantId: string,
  agent: string | undefined,
  { from }: Pick<Hours, 'from'>,
): Promise<ModelDay[]> {
  const day = sql<number>`hour / 24`;
  return (
    db
      .selectFrom('model_hours')
      .select(({ fn }) => [
        day.as('day'),
        'model',
        fn.sum<number>('call_count').as('calls'),
        fn.sum<number>('total_tokens').as('tokens'),
        fn.sum<number>('total_cost').as('cost'),
      ])
      .where('tenant_id', '=', tenantId)
      // The empty name holds the totals of all agents.
      .where('agent_name', '=', agent ?? '')
      .where('hour', '>=', from)
      .groupBy([day, 'model'])
      .execute()
  );
}

/** Lists models, most expensive first. */
export async function listModelsOfUser(db: Db, tenantId: string, userId: string) {
  const rows = await db
    .selectFrom('user_models')
    .select(['model', 'total_cost', 'total_tokens', 'call_count'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();
  return rows
    .map((row) => ({ ...row, total_cost: roundedCost(row.total_cost) }))
    .sort((a, b) => b.total_cost - a.total_cost || (a.model < b.model ? -1 : 1));
}

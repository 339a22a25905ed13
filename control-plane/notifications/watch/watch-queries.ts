import type { Db } from '../../storage/open.ts';

const deviceColumns = ['id', 'hostname', 'user'] as const;

/** Lists pending requests that expire before `until`. */
export const listExpiring = (db: Db, tenantId: string, now: number, until: number) =>
  db
    .selectFrom('approvals')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .where('expires_at', '<=', until)
    .execute();

/** Lists active devices that were last seen between `after` and `before`. */
export const listSilent = (db: Db, tenantId: string, after: number, before: number) =>
  db
    .selectFrom('devices')
    .select([...deviceColumns, 'last_seen'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active')
    .where('last_seen', '>=', after)
    .where('last_seen', '<=', before)
    .execute();

export const listProblems = (db: Db, tenantId: string) =>
  db
    .selectFrom('devices')
    .select([...deviceColumns, 'problems'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active')
    .where('problems', '!=', '[]')
    .execute();

/** Lists devices that dropped reports since they enrolled. */
export const listDropping = (db: Db, tenantId: string) =>
  db
    .selectFrom('devices')
    .select([...deviceColumns, 'dropped'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active')
    .where('dropped', '>', 0)
    .execute();

/** Returns the number of spans refused so far, by reason. */
export const listRefusedSpans = (db: Db, tenantId: string) =>
  db
    .selectFrom('otel_unknowns')
    .select(['name', 'seen_count'])
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'rejection')
    .execute();

export const listBudgetPolicies = (db: Db, tenantId: string) =>
  db
    .selectFrom('policies')
    .select(['id', 'name', 'category', 'rules', 'scope'])
    .where('tenant_id', '=', tenantId)
    .where('enabled', '=', 1)
    .where('category', '=', 'budget')
    .execute();

/**
 * Returns the usage by agent and model since an hour (in hours since 1970). The agent '' is the sum
 * of all agents.
 */
export const listUsage = (db: Db, tenantId: string, hour: number) =>
  db
    .selectFrom('model_hours')
    .select(['agent_name', 'model'])
    .select(({ fn }) => [
      fn.sum<number>('total_tokens').as('tokens'),
      fn.sum<number>('total_cost').as('cost'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('hour', '>=', hour)
    .groupBy(['agent_name', 'model'])
    .execute();

/** Lists end users with their own monthly budget, and what they have spent since a day. */
export const listEndUserSpending = (db: Db, tenantId: string, day: number) =>
  db
    .selectFrom('end_user_limits')
    .innerJoin('end_user_days', (join) =>
      join
        .onRef('end_user_days.tenant_id', '=', 'end_user_limits.tenant_id')
        .onRef('end_user_days.end_user_id', '=', 'end_user_limits.id'),
    )
    .select(['end_user_limits.id', 'end_user_limits.monthly_budget as max'])
    .select(({ fn }) => fn.sum<number>('end_user_days.total_cost').as('used'))
    .where('end_user_limits.tenant_id', '=', tenantId)
    .where('end_user_limits.kind', '=', 'user')
    .where('end_user_limits.monthly_budget', '>', 0)
    .where('end_user_days.day', '>=', day)
    .groupBy(['end_user_limits.id', 'end_user_limits.monthly_budget'])
    .execute();

/** Lists the monthly budgets that apply to each end user of a group without their own. */
export const listGroupBudgets = (db: Db, tenantId: string) =>
  db
    .selectFrom('end_user_limits')
    .select(['id', 'monthly_budget as max'])
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'group')
    .where('monthly_budget', '>', 0)
    .execute();

/** Lists end users without their own budget who have spent at least `least` since a day. */
export const listSpenders = (db: Db, tenantId: string, day: number, least: number) =>
  db
    .selectFrom('end_user_days')
    .select('end_user_id as id')
    .select(({ fn }) => fn.sum<number>('total_cost').as('used'))
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', day)
    .where('end_user_id', 'not in', (own) =>
      own
        .selectFrom('end_user_limits')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('kind', '=', 'user')
        .where('monthly_budget', 'is not', null),
    )
    .groupBy('end_user_id')
    .having(({ fn }) => fn.sum<number>('total_cost'), '>=', least)
    .execute();

/** Returns the groups of an end user's runs since a time. */
export async function listGroupsOf(
  db: Db,
  tenantId: string,
  endUserId: string,
  since: number,
): Promise<string[]> {
  const runs = () =>
    db
      .selectFrom('runs')
      .select('user_group')
      .distinct()
      .where('tenant_id', '=', tenantId)
      .where('started_at', '>=', since)
      .where('user_group', 'is not', null);
  const rows = await runs()
    .where('end_user_id', '=', endUserId)
    // The user of a run counts as its end user if it names none.
    .union(runs().where('user_id', '=', endUserId).where('end_user_id', 'is', null))
    .execute();
  return rows.flatMap(({ user_group }) => user_group ?? []);
}

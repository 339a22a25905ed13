import { type RawBuilder, sql } from 'kysely';
import type { incidentGroupSorts } from '#contract/incidents.ts';
import { severities } from '#contract/policy-actions.ts';
import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';
import { HOUR_MS, type Trend } from './group-rules.ts';
import { type IncidentFilter, incidentsOf } from './queries.ts';

interface GroupPage {
  sort: { by: (typeof incidentGroupSorts)[number]; direction: 'asc' | 'desc' };
  limit: number;
  offset: number;
}

const rank = sql<number>`case severity ${sql.join(
  severities.map((name, at) => sql`when ${sql.lit(name)} then ${sql.lit(at)}`),
  sql` `,
)} end`;

/** The sort key of the groups. */
const sortValue: Record<GroupPage['sort']['by'], RawBuilder<number>> = {
  last_seen: sql`max(last_seen_at)`,
  first_seen: sql`min(created_at)`,
  incidents: sql`count(*)`,
  occurrences: sql`sum(occurrences)`,
  severity: sql`max(${rank})`,
};

const countIf = (status: string) =>
  sql<number>`sum(case when status = ${sql.lit(status)} then 1 else 0 end)`;

/** Returns one page of groups, the number of all groups, and the number of their incidents. */
export async function listGroups(
  db: Db,
  tenantId: string,
  filter: IncidentFilter,
  { sort, limit, offset }: GroupPage,
) {
  const incidents = incidentsOf(db, tenantId, filter);
  const [rows, totals] = await Promise.all([
    incidents
      .groupBy('group_id')
      .select([
        'group_id',
        sql<number>`count(*)`.as('incident_count'),
        sql<number>`sum(occurrences)`.as('occurrences'),
        countIf('open').as('open'),
        countIf('acknowledged').as('acknowledged'),
        countIf('resolved').as('resolved'),
        sql<number>`max(${rank})`.as('rank'),
        sql<number>`min(created_at)`.as('first_seen'),
        sql<number>`max(last_seen_at)`.as('last_seen'),
        // Ids sort by time.
        sql<string>`max(id)`.as('latest_id'),
        sql<string | null>`min(assignee_id)`.as('assignee_id'),
        sql<number>`count(distinct assignee_id)`.as('assignee_count'),
        sql<number>`sum(case when assignee_id is null then 1 else 0 end)`.as('unassigned'),
      ])
      .orderBy(sortValue[sort.by], sort.direction)
      .orderBy('group_id')
      .limit(limit)
      .offset(offset)
      .execute(),
    incidents
      .select([
        sql<number>`count(distinct group_id)`.as('groups'),
        sql<number>`count(*)`.as('incidents'),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  const latest = await incidentsOf(db, tenantId, { ids: rows.map(({ latest_id }) => latest_id) })
    .selectAll()
    .execute();
  return { rows, latest, ...totals };
}

/** Returns the occurrences of these groups at the points of a trend that have any. */
export const listTrend = (db: Db, tenantId: string, groups: readonly string[], trend: Trend) => {
  const hours = sql.lit(trend.step / HOUR_MS);
  const point = sql<number>`(hour - ${sql.lit(trend.start / HOUR_MS)}) / ${hours}`;
  return db
    .selectFrom('incident_hours')
    .where('tenant_id', '=', tenantId)
    .where('group_id', 'in', valueList(groups))
    .where('hour', '>=', trend.start / HOUR_MS)
    .where('hour', '<', trend.start / HOUR_MS + (trend.step / HOUR_MS) * trend.points)
    .groupBy(['group_id', point])
    .select(['group_id', point.as('point')])
    .select(({ fn }) => fn.sum<number>('occurrences').as('occurrences'))
    .execute();
};

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';
import { IN_FLIGHT_MS } from './group-rules.ts';

const recorded = [
  ['llm_calls', 'duration_ms'],
  ['spans', 'duration_ms'],
  ['steps', null],
] as const;

/** Whether there is a record of the incident's run with this property, as 1 or 0. */
const anyRecord = (condition: (start: RawBuilder<number | null>) => RawBuilder<boolean>) =>
  sql<number>`case when ${sql.join(
    recorded.map(([table, duration]) => {
      const start = duration
        ? sql<number | null>`coalesce(one.started_at, one.created_at - one.${sql.ref(duration)})`
        : sql<number | null>`one.started_at`;
      return sql`exists (select 1 from ${sql.table(table)} as one
        where one.tenant_id = incidents.tenant_id and one.run_id = incidents.run_id
        and ${condition(start)})`;
    }),
    sql` or `,
  )} then 1 else 0 end`;

const wentOn = anyRecord(
  (start) => sql<boolean>`(${start} > incidents.created_at
    or (${start} is null and one.created_at > incidents.created_at + ${sql.lit(IN_FLIGHT_MS)}))`,
);

const inDoubt = anyRecord(
  (start) => sql<boolean>`${start} is null and one.created_at > incidents.created_at`,
);

/**
 * Returns the state of the runs of these incidents, and the records before and after the incident.
 */
export const listRunContexts = (db: Db, tenantId: string, incidentIds: readonly string[]) =>
  db
    .selectFrom('incidents')
    .innerJoin('runs', (join) =>
      join
        .onRef('runs.tenant_id', '=', 'incidents.tenant_id')
        .onRef('runs.id', '=', 'incidents.run_id'),
    )
    .leftJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'runs.tenant_id')
        .onRef('devices.id', '=', 'runs.device_id'),
    )
    .where('incidents.tenant_id', '=', tenantId)
    .where('incidents.id', 'in', valueList(incidentIds))
    .select(['incidents.id', 'incidents.created_at as at', 'runs.completed_at'])
    .select(['runs.device_id', 'devices.hostname'])
    .select([wentOn.as('went_on'), inDoubt.as('in_doubt')])
    .select([lastBefore('llm_calls').as('call_id'), lastBefore('spans').as('span_id')])
    .execute();

const lastBefore = (table: 'llm_calls' | 'spans') =>
  sql<number | null>`(select max(one.id) from ${sql.table(table)} as one
    where one.tenant_id = incidents.tenant_id and one.run_id = incidents.run_id
    and one.created_at <= incidents.created_at
    ${table === 'spans' ? sql`and one.kind = 'tool'` : sql``})`;

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { incidentGroupId } from '../../lib/incident-group.ts';
import type { Dialect } from '../dialect.ts';
import { notNull, tenantIndexes, tenantTable, withDefault } from './001-schema/table-parts.ts';

/**
 * Incidents by cause, with severity and assignee; the mode of policies; the request that an
 * approval is for.
 */
export const incidentGroups = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const policies = (name: string, value: string) =>
      schema.alterTable('policies').addColumn(name, 'text', withDefault(value)).execute();
    await policies('severity', 'medium');
    await policies('mode', 'enforce');
    await schema.alterTable('approvals').addColumn('request', 'text').execute();
    const incidents = () => schema.alterTable('incidents');
    await incidents().addColumn('group_id', 'text', withDefault('')).execute();
    await incidents().addColumn('severity', 'text', withDefault('medium')).execute();
    await incidents().addColumn('assignee_id', 'text').execute();
    await incidents().addColumn('last_seen_at', 'bigint', withDefault(0)).execute();
    await sql`update incidents set last_seen_at = updated_at`.execute(db);
    await sql`update incidents set severity = 'high'
      where source = 'inventory' and action = 'block'`.execute(db);
    await groupIncidents(db);
    await tenantIndexes(schema, 'incidents')(
      'incidents_by_group',
      'group_id',
      'created_at',
      'id',
    ).execute();
    await dialect
      .clusteredByKey(
        tenantTable(schema, 'incident_hours')
          .addColumn('group_id', 'text', notNull)
          .addColumn('hour', 'bigint', notNull)
          .addColumn('occurrences', 'bigint', notNull)
          .addPrimaryKeyConstraint('incident_hours_pk', ['tenant_id', 'group_id', 'hour']),
      )
      .execute();
    // The time of each occurrence is unknown, so all of them count in the hour of the first.
    await sql`insert into incident_hours (tenant_id, group_id, hour, occurrences)
      select tenant_id, group_id, created_at / 3600000, sum(occurrences) from incidents
      group by tenant_id, group_id, created_at / 3600000`.execute(db);
  },
});

const ROWS_AT_ONCE = 1000;

interface Row {
  tenant_id: string;
  id: string;
  policy_id: string;
  action: string;
  agent_name: string;
  reason: string;
}

async function groupIncidents(db: Kysely<unknown>): Promise<void> {
  let after = { tenant_id: '', id: '' };
  for (;;) {
    const { rows } = await sql<Row>`
      select tenant_id, id, policy_id, action, agent_name, reason from incidents
      where (tenant_id, id) > (${after.tenant_id}, ${after.id})
      order by tenant_id, id limit ${ROWS_AT_ONCE}`.execute(db);
    for (const row of rows)
      await sql`update incidents set group_id = ${incidentGroupId(row)}
        where tenant_id = ${row.tenant_id} and id = ${row.id}`.execute(db);
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return;
    after = last;
  }
}

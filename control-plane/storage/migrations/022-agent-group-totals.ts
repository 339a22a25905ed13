import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';

/** How many sessions and tracked users an agent has is kept, no longer counted when it is asked. */
export const agentGroupTotals = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await dialect
      .keyed(
        db.schema
          .createTable('agent_group_totals')
          .addColumn('tenant_id', 'text', (to) => to.notNull())
          .addColumn('kind', 'text', (to) => to.notNull())
          .addColumn('agent_name', 'text', (to) => to.notNull())
          .addColumn('total', 'bigint', (to) => to.notNull())
          .addPrimaryKeyConstraint('agent_group_totals_pk', ['tenant_id', 'kind', 'agent_name']),
      )
      .execute();
    for (const statement of agentGroupTotalsOfWhatIsThere) await sql.raw(statement).execute(db);
  },
});

const ofWhatIsThere = (kind: 'sessions' | 'users', table: string): string =>
  `insert into agent_group_totals (tenant_id, kind, agent_name, total)
   select tenant_id, '${kind}', agent_name, count(*) from ${table} group by tenant_id, agent_name`;

export const agentGroupTotalsOfWhatIsThere: readonly string[] = [
  ofWhatIsThere('sessions', 'session_agents'),
  ofWhatIsThere('users', 'user_agents'),
];

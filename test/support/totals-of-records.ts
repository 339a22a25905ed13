/**
 * Computes totals from the recorded rows in SQL. The totals that recording maintains must be equal.
 */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#control-plane/storage/tables.ts';
import { durationBounds } from '#control-plane/usage/duration-buckets.ts';

/** Fills the tables of totals, which must be empty. */
export async function writeTotalsOfRecords(db: Kysely<Tables>): Promise<void> {
  for (const statement of [...totals, END_USER_DAYS, ...agentGroupTotals])
    await sql.raw(statement).execute(db);
}

const HOUR = '3600000';
const DURATION = 'coalesce(sum(completed_at - started_at), 0)';
const ACTIVITY = 'max(coalesce(completed_at, started_at))';
const CALLS = 'count(*), sum(total_tokens), sum(cost)';
const NUMERIC = 'count(numeric_value), coalesce(sum(numeric_value), 0)';

const group = (table: string, column: string): string =>
  `insert into ${table} select tenant_id, ${column}, count(*), min(started_at), ${ACTIVITY},
   ${DURATION}, sum(cost), sum(tokens) from runs where ${column} is not null
   group by tenant_id, ${column}`;

const agentsOf = (table: string, column: string): string =>
  `insert into ${table} select tenant_id, ${column}, agent_name, count(*) from runs
   where ${column} is not null group by tenant_id, ${column}, agent_name`;

/** Totals by agent; the empty name is the total over all agents. */
const byHour = (table: string, agent: string, from: string, key: string, sums: string): string[] =>
  [agent, "''"].map(
    (name) =>
      `insert into ${table} select tenant_id, ${name}, created_at / ${HOUR}, ${key}, ${sums}
       from ${from} group by tenant_id, ${name === agent ? `${agent}, ` : ''}created_at / ${HOUR}, ${key}`,
  );

/** The lower bound of the duration bucket of a run. */
const DURATION_FROM = `case when completed_at is null then -1 ${durationBounds
  .toReversed()
  .map((bound) => `when completed_at - started_at >= ${bound} then ${bound}`)
  .join(' ')} end`;

const totals: readonly string[] = [
  `insert into run_hours (tenant_id, hour, status, duration_from, run_count)
   select tenant_id, started_at / ${HOUR}, status, ${DURATION_FROM}, count(*) from runs
   group by 1, 2, 3, 4`,
  `insert into run_totals select tenant_id, agent_name, status, count(*) from runs
   group by tenant_id, agent_name, status`,
  group('run_sessions', 'session_id'),
  group('tracked_users', 'user_id'),
  agentsOf('session_agents', 'session_id'),
  agentsOf('user_agents', 'user_id'),
  `insert into user_models select c.tenant_id, r.user_id, c.model, count(*), sum(c.total_tokens),
   sum(c.cost) from llm_calls c join runs r on r.tenant_id = c.tenant_id and r.id = c.run_id
   where r.user_id is not null group by c.tenant_id, r.user_id, c.model`,
  `insert into group_totals select tenant_id, 'sessions', count(*) from run_sessions
   group by tenant_id`,
  `insert into group_totals select tenant_id, 'users', count(*) from tracked_users
   group by tenant_id`,
  `insert into model_totals select tenant_id, agent_name, model, ${CALLS},
   sum(case when cost_source = 'unpriced' then 1 else 0 end) from llm_calls
   group by tenant_id, agent_name, model`,
  `insert into score_totals select tenant_id, name, data_type, source, count(*), ${NUMERIC}
   from scores group by tenant_id, name, data_type, source`,
  ...byHour('model_hours', 'agent_name', 'llm_calls', 'model', `${CALLS}, 0`),
  ...byHour(
    'score_hours',
    'run_agent_name',
    'scores',
    'name, data_type',
    `count(*), ${NUMERIC}, min(numeric_value), max(numeric_value)`,
  ),
  ...byHour(
    'score_value_hours',
    'run_agent_name',
    'scores where string_value is not null',
    'name, data_type, string_value',
    'count(*)',
  ),
];

const END_USER_DAYS = `
  insert into end_user_days
    (tenant_id, end_user_id, day, call_count, total_tokens, total_cost)
  select c.tenant_id, coalesce(r.end_user_id, r.user_id), c.created_at / 86400000,
    count(*), sum(c.total_tokens), sum(c.cost)
  from llm_calls c join runs r on r.tenant_id = c.tenant_id and r.id = c.run_id
  where coalesce(r.end_user_id, r.user_id) is not null
  group by 1, 2, 3`;

const groupsOfAgents = (kind: 'sessions' | 'users', table: string): string =>
  `insert into agent_group_totals (tenant_id, kind, agent_name, total)
   select tenant_id, '${kind}', agent_name, count(*) from ${table} group by tenant_id, agent_name`;

const agentGroupTotals: readonly string[] = [
  groupsOfAgents('sessions', 'session_agents'),
  groupsOfAgents('users', 'user_agents'),
];

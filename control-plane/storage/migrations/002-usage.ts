import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';

/** Calls with their texts in one table, and the totals that recording keeps. */
export const usage = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await widenCalls(db);
    await widenScores(db);
    await indexRecords(db.schema);
    await totals(db.schema, dialect);
    await hours(db.schema, dialect);
    for (const statement of totalsOfWhatIsThere) await sql.raw(statement).execute(db);
  },
});

async function widenCalls(db: Kysely<unknown>): Promise<void> {
  for (const column of ['prompt_preview', 'response_preview'])
    await db.schema
      .alterTable('llm_calls')
      .addColumn(column, 'text', (to) => to.notNull().defaultTo(''))
      .execute();
  for (const column of ['cache_read_tokens', 'cache_write_tokens'])
    await db.schema
      .alterTable('llm_calls')
      .addColumn(column, 'bigint', (to) => to.notNull().defaultTo(0))
      .execute();
  await db.schema.alterTable('llm_calls').addColumn('provider', 'text').execute();
  await db.schema.alterTable('llm_calls').addColumn('duration_ms', 'bigint').execute();
  const body = (column: string): string =>
    `(select ${column} from llm_call_bodies b
      where b.tenant_id = llm_calls.tenant_id and b.llm_call_id = llm_calls.id)`;
  await sql
    .raw(
      `update llm_calls set prompt_preview = coalesce(${body('prompt_preview')}, ''),
       response_preview = coalesce(${body('response_preview')}, '')`,
    )
    .execute(db);
  await db.schema.dropTable('llm_call_bodies').execute();
}

async function widenScores(db: Kysely<unknown>): Promise<void> {
  const add = (column: string, type: 'text' | 'bigint') =>
    db.schema.alterTable('scores').addColumn(column, type).execute();
  await db.schema
    .alterTable('scores')
    .addColumn('run_agent_name', 'text', (to) => to.notNull().defaultTo(''))
    .execute();
  await add('llm_call_id', 'bigint');
  for (const column of ['llm_call_model', 'metadata', 'author_user_id']) await add(column, 'text');
  for (const column of ['evaluator_id', 'evaluator_name']) await add(column, 'text');
  await sql
    .raw(
      `update scores set run_agent_name = coalesce((select agent_name from runs
       where runs.tenant_id = scores.tenant_id and runs.id = scores.run_id), '')`,
    )
    .execute(db);
}

async function indexRecords(schema: SchemaModule): Promise<void> {
  const index = (name: string, table: string, ...columns: string[]) =>
    schema
      .createIndex(name)
      .on(table)
      .columns(['tenant_id', ...columns]);
  // Filters, sorting and totals over raw calls read this index and nothing else. It grows at its
  // end, so it costs recording little.
  const covered = ['id', 'agent_name', 'model', 'total_tokens', 'cost'];
  await index('llm_calls_by_time', 'llm_calls', 'created_at', ...covered).execute();
  for (const group of ['session_id', 'user_id'])
    await index(`runs_by_${group}`, 'runs', group, 'started_at', 'id')
      .where(sql.ref(group), 'is not', null)
      .execute();
  await index('runs_by_status', 'runs', 'status', 'started_at', 'id').execute();
  await schema.dropIndex('spans_by_run').execute();
  await index('spans_by_run', 'spans', 'run_id', 'position', 'id').execute();
  await index('scores_by_time', 'scores', 'created_at', 'id').execute();
}

/** A table of counts and sums, one row for each value of its key. */
function totalsTable(schema: SchemaModule, name: string, key: readonly string[]) {
  let table = schema.createTable(name).addColumn('tenant_id', 'text', (to) => to.notNull());
  for (const column of key)
    table = table.addColumn(column, column === 'hour' ? 'bigint' : 'text', (to) => to.notNull());
  return table.addPrimaryKeyConstraint(`${name}_pk`, ['tenant_id', ...key] as never);
}

function withSums<T extends ReturnType<typeof totalsTable>>(table: T, columns: readonly string[]) {
  return columns.reduce(
    (made, column) =>
      made.addColumn(column, isFraction(column) ? 'double precision' : 'bigint', (to) =>
        to.notNull(),
      ) as T,
    table,
  );
}

const isFraction = (column: string): boolean => column === 'total_cost' || column === 'numeric_sum';

const GROUP = ['total_duration', 'total_cost', 'total_tokens'];
const CALLS = ['call_count', 'total_tokens', 'total_cost'];

async function totals(schema: SchemaModule, dialect: Dialect): Promise<void> {
  const make = (name: string, key: readonly string[], sums: readonly string[]) =>
    dialect.keyed(withSums(totalsTable(schema, name, key), sums)).execute();
  await make('run_totals', ['agent_name', 'status'], ['run_count']);
  await make('run_sessions', ['session_id'], ['run_count', 'first_run', 'last_activity', ...GROUP]);
  await make('session_agents', ['session_id', 'agent_name'], ['run_count']);
  await make('tracked_users', ['user_id'], ['run_count', 'first_seen', 'last_seen', ...GROUP]);
  await make('user_agents', ['user_id', 'agent_name'], ['run_count']);
  await make('user_models', ['user_id', 'model'], CALLS);
  await make('group_totals', ['kind'], ['total']);
  await make('model_totals', ['agent_name', 'model'], [...CALLS, 'unpriced_count']);
  const scores = ['score_count', 'numeric_count', 'numeric_sum'];
  await make('score_totals', ['name', 'data_type', 'source'], scores);
  for (const [table, id, ...orders] of [
    ['run_sessions', 'session_id', 'last_activity', 'first_run', 'run_count'],
    ['tracked_users', 'user_id', 'last_seen', 'first_seen', 'run_count'],
  ] as const)
    for (const order of orders)
      await schema
        .createIndex(`${table}_by_${order}`)
        .on(table)
        .columns(['tenant_id', order, id])
        .execute();
  for (const [table, id] of [
    ['session_agents', 'session_id'],
    ['user_agents', 'user_id'],
  ] as const)
    await schema
      .createIndex(`${table}_by_agent`)
      .on(table)
      .columns(['tenant_id', 'agent_name', id])
      .execute();
}

async function hours(schema: SchemaModule, dialect: Dialect): Promise<void> {
  const byHour = ['agent_name', 'hour'];
  const make = (table: ReturnType<typeof totalsTable>) => dialect.keyed(table).execute();
  await make(withSums(totalsTable(schema, 'model_hours', [...byHour, 'model']), CALLS));
  const score = [...byHour, 'name', 'data_type'];
  await make(
    withSums(totalsTable(schema, 'score_hours', score), [
      'score_count',
      'numeric_count',
      'numeric_sum',
    ])
      .addColumn('numeric_min', 'double precision')
      .addColumn('numeric_max', 'double precision'),
  );
  await make(
    withSums(totalsTable(schema, 'score_value_hours', [...score, 'value']), ['score_count']),
  );
}

const HOUR = '3600000';
const duration = 'coalesce(sum(completed_at - started_at), 0)';
const activity = 'max(coalesce(completed_at, started_at))';
const calls = 'count(*), sum(total_tokens), sum(cost)';
const numeric = 'count(numeric_value), coalesce(sum(numeric_value), 0)';

const group = (table: string, column: string): string =>
  `insert into ${table} select tenant_id, ${column}, count(*), min(started_at), ${activity},
   ${duration}, sum(cost), sum(tokens) from runs where ${column} is not null
   group by tenant_id, ${column}`;

const agentsOf = (table: string, column: string): string =>
  `insert into ${table} select tenant_id, ${column}, agent_name, count(*) from runs
   where ${column} is not null group by tenant_id, ${column}, agent_name`;

/** By agent, and under the empty name of all agents together. */
const byHour = (table: string, agent: string, from: string, key: string, sums: string): string[] =>
  [agent, "''"].map(
    (name) =>
      `insert into ${table} select tenant_id, ${name}, created_at / ${HOUR}, ${key}, ${sums}
       from ${from} group by tenant_id, ${name === agent ? `${agent}, ` : ''}created_at / ${HOUR}, ${key}`,
  );

/** The totals of what was recorded before they were kept. */
export const totalsOfWhatIsThere: readonly string[] = [
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
  `insert into model_totals select tenant_id, agent_name, model, ${calls},
   sum(case when cost_source = 'unpriced' then 1 else 0 end) from llm_calls
   group by tenant_id, agent_name, model`,
  `insert into score_totals select tenant_id, name, data_type, source, count(*), ${numeric}
   from scores group by tenant_id, name, data_type, source`,
  ...byHour('model_hours', 'agent_name', 'llm_calls', 'model', calls),
  ...byHour(
    'score_hours',
    'run_agent_name',
    'scores',
    'name, data_type',
    `count(*), ${numeric}, min(numeric_value), max(numeric_value)`,
  ),
  ...byHour(
    'score_value_hours',
    'run_agent_name',
    'scores where string_value is not null',
    'name, data_type, string_value',
    'count(*)',
  ),
];

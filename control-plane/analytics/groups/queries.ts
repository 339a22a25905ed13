import { type AliasedExpression, type SelectQueryBuilder, sql } from 'kysely';
import { contains } from '../../storage/contains.ts';
import { countOf } from '../../storage/count.ts';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import type { GroupKind, GroupRow } from './rules.ts';

export interface GroupFilter {
  search?: string | undefined;
  agent?: string | undefined;
  start?: number | undefined;
  end?: number | undefined;
  sort: { by: 'last_at' | 'first_at' | 'run_count'; direction: 'asc' | 'desc' };
  limit: number;
  offset: number;
}

interface Named {
  groups: Omit<GroupRow, 'agents'> & { tenant_id: string };
  agents: { tenant_id: string; id: string; agent_name: string };
}

type Rows<T extends keyof Named> = SelectQueryBuilder<Tables & Named, T, object>;
type Tabled<T extends keyof Named> = Record<GroupKind, (db: Db) => AliasedExpression<Named[T], T>>;

const sums = ['tenant_id', 'run_count', 'total_duration', 'total_cost', 'total_tokens'] as const;

const groups: Tabled<'groups'> = {
  sessions: (db) =>
    db
      .selectFrom('run_sessions')
      .select(['session_id as id', 'first_run as first_at', 'last_activity as last_at', ...sums])
      .as('groups'),
  users: (db) =>
    db
      .selectFrom('tracked_users')
      .select(['user_id as id', 'first_seen as first_at', 'last_seen as last_at', ...sums])
      .as('groups'),
};

const agentColumns = ['tenant_id', 'agent_name'] as const;

const agents: Tabled<'agents'> = {
  sessions: (db) =>
    db
      .selectFrom('session_agents')
      .select(['session_id as id', ...agentColumns])
      .as('agents'),
  users: (db) =>
    db
      .selectFrom('user_agents')
      .select(['user_id as id', ...agentColumns])
      .as('agents'),
};

const idOf = { sessions: 'session_id', users: 'user_id' } as const;

const groupsOf = (db: Db, kind: GroupKind, tenantId: string) =>
  db
    .selectFrom(groups[kind](db))
    .where('groups.tenant_id', '=', tenantId) as unknown as Rows<'groups'>;

const agentsOf = (db: Db, kind: GroupKind, tenantId: string) =>
  db
    .selectFrom(agents[kind](db))
    .where('agents.tenant_id', '=', tenantId) as unknown as Rows<'agents'>;

const runsOf = (db: Db, tenantId: string) =>
  db.selectFrom('runs').where('runs.tenant_id', '=', tenantId);

/** One page, and how many groups there are in all. Without a filter neither grows with history. */
export async function listGroups(db: Db, kind: GroupKind, tenantId: string, filter: GroupFilter) {
  const found = narrowed(db, kind, tenantId, filter);
  const { by, direction } = filter.sort;
  const [rows, count] = await Promise.all([
    found
      .selectAll('groups')
      .orderBy(`groups.${by}`, direction)
      .orderBy('groups.id', direction)
      .limit(filter.limit)
      .offset(filter.offset)
      .execute(),
    countGroups(db, kind, tenantId, filter, found),
  ]);
  return { rows: await withAgents(db, kind, tenantId, rows), count };
}

/** Without a search or a time the totals know. */
async function countGroups(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  { search, agent, start, end }: GroupFilter,
  found: Rows<'groups'>,
): Promise<number> {
  if (search || start !== undefined || end !== undefined) return countOf(found);
  if (agent) return countOf(agentsOf(db, kind, tenantId).where('agents.agent_name', '=', agent));
  const row = await db
    .selectFrom('group_totals')
    .select('total')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.total ?? 0;
}

function narrowed(db: Db, kind: GroupKind, tenantId: string, filter: GroupFilter): Rows<'groups'> {
  const { search, agent, start, end } = filter;
  const all = groupsOf(db, kind, tenantId);
  const found = search ? all.where(contains('groups.id', search)) : all;
  const isTimed = start !== undefined || end !== undefined;
  if (isTimed) return withRunIn(found, runsIn(db, tenantId, filter), idOf[kind], filter);
  if (agent) {
    const ofAgent = agentsOf(db, kind, tenantId).where('agents.agent_name', '=', agent);
    return found.where('groups.id', 'in', ofAgent.select('agents.id'));
  }
  return found;
}

/** Runs that started within the time. */
function runsIn(db: Db, tenantId: string, { start, end }: GroupFilter) {
  let runs = runsOf(db, tenantId);
  if (start !== undefined) runs = runs.where('runs.started_at', '>=', start);
  if (end !== undefined) runs = runs.where('runs.started_at', '<', end);
  return runs;
}

function withRunIn(
  groups: Rows<'groups'>,
  runs: ReturnType<typeof runsIn>,
  id: string,
  { agent, start, end }: GroupFilter,
): Rows<'groups'> {
  const group = sql.ref<string>(`runs.${id}`);
  // One and the same run must be of the agent and have started within the time.
  if (agent)
    return groups.where(
      'groups.id',
      'in',
      runs.where('runs.agent_name', '=', agent).select(group.as('id')),
    );
  if (start === undefined) return groups.where('groups.first_at', '<', end ?? 0);
  // What a group knows of itself spares most of the looking into its runs.
  const possible = end === undefined ? groups : groups.where('groups.first_at', '<', end);
  const own = runs.where(group, '=', sql.ref<string>('groups.id')).select(sql.lit(1).as('one'));
  return possible
    .where('groups.last_at', '>=', start)
    .where((eb) => eb.or([eb('groups.first_at', '>=', start), eb.exists(own)]));
}

/** With the agents of each row: one query for the whole page. */
async function withAgents(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  rows: readonly Omit<GroupRow, 'agents'>[],
): Promise<GroupRow[]> {
  if (rows.length === 0) return [];
  const found = await agentsOf(db, kind, tenantId)
    .select(['agents.id', 'agents.agent_name'])
    .where(
      'agents.id',
      'in',
      rows.map((row) => row.id),
    )
    .execute();
  const byId = Map.groupBy(found, (row) => row.id);
  return rows.map((row) => ({
    ...row,
    agents: (byId.get(row.id) ?? []).map(({ agent_name }) => agent_name).sort(),
  }));
}

export async function findGroup(db: Db, kind: GroupKind, tenantId: string, id: string) {
  const row = await groupsOf(db, kind, tenantId)
    .selectAll('groups')
    .where('groups.id', '=', id)
    .executeTakeFirst();
  return row && (await withAgents(db, kind, tenantId, [row]))[0];
}

/** Newest first. */
export function listRunsOf(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  id: string,
  { limit, offset }: { limit: number; offset: number },
) {
  return runsOf(db, tenantId)
    .select(['id', 'agent_name', 'workflow_name', 'trace_id', 'status', 'tokens', 'cost'])
    .select(['started_at', 'completed_at'])
    .where(`runs.${idOf[kind]}`, '=', id)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

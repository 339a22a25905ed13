import { type AliasedExpression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { GroupKind, GroupRow, SortColumn } from './group-rules.ts';

/** The tables of both kinds, under common names. */
interface Named {
  groups: Omit<GroupRow, 'agents' | 'error_count'> & { tenant_id: string };
  agents: { tenant_id: string; id: string; agent_name: string };
}

export type RowsQuery<T extends keyof Named> = SelectQueryBuilder<Tables & Named, T, object>;
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

/** The column of a run that contains the id of its group. */
export const groupIdColumn = { sessions: 'session_id', users: 'user_id' } as const;

export const groupsOf = (db: Db, kind: GroupKind, tenantId: string) =>
  db.selectFrom(groups[kind](db)).where('groups.tenant_id', '=', tenantId) as RowsQuery<'groups'>;

export const agentsOf = (db: Db, kind: GroupKind, tenantId: string) =>
  db.selectFrom(agents[kind](db)).where('agents.tenant_id', '=', tenantId) as RowsQuery<'agents'>;

export const runsOf = (db: Db, tenantId: string) =>
  db.selectFrom('runs').where('runs.tenant_id', '=', tenantId);

export interface Page {
  sort: { by: SortColumn; direction: 'asc' | 'desc' };
  limit: number;
  offset: number;
}

/** The number of failed runs of a group, which is read from an index of only these. */
const errorCount = (kind: GroupKind): RawBuilder<number> => sql<number>`(select count(*) from runs
  where runs.tenant_id = groups.tenant_id and runs.${sql.ref(groupIdColumn[kind])} = groups.id
    and runs.status = 'error')`;

export const sortedBy = (
  kind: GroupKind,
  groups: RowsQuery<'groups'>,
  { by, direction }: Page['sort'],
) =>
  groups
    .selectAll('groups')
    .orderBy(by === 'error_count' ? errorCount(kind) : sql.ref(`groups.${by}`), direction)
    .orderBy('groups.id', direction);

export const listPage = (
  kind: GroupKind,
  groups: RowsQuery<'groups'>,
  { sort, limit, offset }: Page,
) => sortedBy(kind, groups, sort).limit(limit).offset(offset).execute();

/** Returns the number of sessions or tracked users. */
export async function countGroups(db: Db, kind: GroupKind, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('group_totals')
    .select('total')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return notBelowZero(row);
}

/** Returns the number of those with a run of an agent. */
export async function countGroupsOfAgent(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  agent: string,
): Promise<number> {
  const row = await db
    .selectFrom('agent_group_totals')
    .select('total')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('agent_name', '=', agent)
    .executeTakeFirst();
  return notBelowZero(row);
}

/**
 * Replaces negative counts by 0. On PostgreSQL, a count can be off by one if the last run of a
 * group is deleted while another one starts.
 */
const notBelowZero = (row: { total: number } | undefined): number => Math.max(0, row?.total ?? 0);

import { sql } from 'kysely';
import { contains } from '../storage/contains.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import { countByBucket, countInRanges } from '../storage/over-time.ts';
import { valueList } from '../storage/value-list.ts';
import { activeGroups } from './group-activity-queries.ts';
import { listGroupsOfAgent, groupsOfAgent } from './group-of-agent-queries.ts';
import { type GroupKind, type GroupRow, type GroupTime, timeColumns } from './group-rules.ts';
import {
  agentsOf,
  groupsOf,
  groupIdColumn,
  type Page,
  listPage,
  type RowsQuery,
  runsOf,
  countGroups,
} from './group-table-queries.ts';

export interface GroupSelection {
  search?: string | undefined;
  agent?: string | undefined;
  start?: number | undefined;
  end?: number | undefined;
  /** The time to which `start` and `end` apply; any activity by default. */
  time?: GroupTime | undefined;
}

export interface GroupFilter extends GroupSelection, Page {}

/**
 * Returns one page, and the number of all matching groups. Without a filter, the cost does not grow
 * with history.
 */
export async function listGroups(db: Db, kind: GroupKind, tenantId: string, filter: GroupFilter) {
  const { rows, count } = await findPage(db, kind, tenantId, filter);
  return { rows: await withRuns(db, kind, tenantId, rows), count };
}

async function findPage(db: Db, kind: GroupKind, tenantId: string, filter: GroupFilter) {
  const { search, agent, start, end } = filter;
  const isPlain = !search && start === undefined && end === undefined;
  if (isPlain && agent) return listGroupsOfAgent(db, { kind, tenantId, agent }, filter);
  const groups = await filtered(db, kind, tenantId, filter);
  const [rows, count] = await Promise.all([
    listPage(kind, groups, filter),
    isPlain ? countGroups(db, kind, tenantId) : countOf(groups),
  ]);
  return { rows, count };
}

/** Counts groups by one of their times. With a filter, they are not in the order of an index. */
export async function countGroupsOverTime(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  { by, ...selection }: GroupSelection & { by: GroupTime },
) {
  const timed = {
    rows: await filtered(db, kind, tenantId, selection),
    at: `groups.${timeColumns[by]}`,
  };
  const isFiltered = Object.values(selection).some((value) => value !== undefined && value !== '');
  return isFiltered ? countByBucket(db, timed) : countInRanges(db, timed);
}

async function filtered(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  { time, ...filter }: GroupSelection,
): Promise<RowsQuery<'groups'>> {
  const { search, agent, start, end } = filter;
  if (time) {
    const all = await filtered(db, kind, tenantId, { search, agent });
    return between(all, `groups.${timeColumns[time]}`, { start, end });
  }
  const isTimed = start !== undefined || end !== undefined;
  const all =
    agent && !isTimed ? groupsOfAgent(db, { kind, tenantId, agent }) : groupsOf(db, kind, tenantId);
  const matching = search ? all.where(contains('groups.id', search)) : all;
  return isTimed ? activeGroups(db, matching, { kind, tenantId, agent, start, end }) : matching;
}

function between(
  all: RowsQuery<'groups'>,
  column: 'groups.first_at' | 'groups.last_at',
  { start, end }: Pick<GroupSelection, 'start' | 'end'>,
): RowsQuery<'groups'> {
  let groups = all;
  if (start !== undefined) groups = groups.where(column, '>=', start);
  if (end !== undefined) groups = groups.where(column, '<', end);
  return groups;
}

type StoredGroup = Omit<GroupRow, 'agents' | 'error_count'>;

/** Adds the agents and failed runs of each row, with one query each for the whole page. */
async function withRuns(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  rows: readonly StoredGroup[],
): Promise<GroupRow[]> {
  if (rows.length === 0) return [];
  const ids = valueList(rows.map((row) => row.id));
  const id = `runs.${groupIdColumn[kind]}` as const;
  const [agents, failed] = await Promise.all([
    agentsOf(db, kind, tenantId)
      .select(['agents.id', 'agents.agent_name'])
      .where('agents.id', 'in', ids)
      .execute(),
    runsOf(db, tenantId)
      // This is a literal, as in the condition of the index.
      .where(sql<boolean>`runs.status = 'error'`)
      .where(id, 'in', ids)
      .select([`${id} as id`, ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy(id)
      .execute(),
  ]);
  const byId = Map.groupBy(agents, (row) => row.id);
  const errors = new Map(failed.map((row) => [row.id, row.count]));
  return rows.map((row) => ({
    ...row,
    error_count: errors.get(row.id) ?? 0,
    agents: (byId.get(row.id) ?? []).map(({ agent_name }) => agent_name).sort(),
  }));
}

export async function findGroup(db: Db, kind: GroupKind, tenantId: string, id: string) {
  const row = await groupsOf(db, kind, tenantId)
    .selectAll('groups')
    .where('groups.id', '=', id)
    .executeTakeFirst();
  return row && (await withRuns(db, kind, tenantId, [row]))[0];
}

/** Lists runs, newest first. */
export function listRunsOfGroup(
  db: Db,
  kind: GroupKind,
  tenantId: string,
  id: string,
  { limit, offset }: { limit: number; offset: number },
) {
  return runsOf(db, tenantId)
    .select(['id', 'agent_name', 'workflow_name', 'trace_id', 'status', 'tokens', 'cost'])
    .select(['started_at', 'completed_at'])
    .where(`runs.${groupIdColumn[kind]}`, '=', id)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

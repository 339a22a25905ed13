import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { isLongRun, LONG_RUN_MS } from '../storage/long-runs.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { GroupKind } from './group-rules.ts';
import { withRunsOfAgent } from './group-of-agent-queries.ts';
import {
  groupsOf,
  groupIdColumn,
  type RowsQuery,
  runsOf,
  countGroups,
  countGroupsOfAgent,
} from './group-table-queries.ts';

export interface Activity {
  kind: GroupKind;
  tenantId: string;
  /** If set, counts only the runs of this agent. */
  agent?: string | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

/**
 * An activity filter with a start, for which the stored first and last activity are not sufficient.
 */
interface Since extends Activity {
  start: number;
}

type Runs = SelectQueryBuilder<Tables, 'runs', object>;

/** How many times cheaper checking a group is than finding it through a run. */
const GROUPS_PER_RUN = 4;

/**
 * Selects the groups that were active during a time range. A run is active from its start to its
 * end, and while it is running, until the last activity of its group.
 */
export async function activeGroups(
  db: Db,
  groups: RowsQuery<'groups'>,
  activity: Activity,
): Promise<RowsQuery<'groups'>> {
  const { agent, start, end } = activity;
  let possible = groups;
  if (start !== undefined) possible = possible.where('groups.last_at', '>=', start);
  if (end !== undefined) possible = possible.where('groups.first_at', '<', end);
  if (!agent && (start === undefined || end === undefined)) return possible;
  if (start !== undefined && (await isCheaperByRuns(db, { ...activity, start })))
    return groupsOfRuns(db, possible, { ...activity, start });
  const candidates = agent ? withRunsOfAgent(db, possible, { ...activity, agent }) : possible;
  return start === undefined
    ? candidates.where((eb) => eb.exists(ofGroup(runsUntilEnd(db, activity), activity)))
    : groupsWithActivity(db, candidates, { ...activity, start });
}

/** Whether so few runs started around the range that it is cheaper to begin with these. */
async function isCheaperByRuns(db: Db, since: Since): Promise<boolean> {
  const { kind, tenantId, agent } = since;
  const groups = agent
    ? await countGroupsOfAgent(db, kind, tenantId, agent)
    : await countGroups(db, kind, tenantId);
  const most = Math.floor(groups / GROUPS_PER_RUN);
  const started = startedAround(db, since)
    .select('runs.id')
    .limit(most + 1);
  const { count } = await db
    .selectFrom(started.as('started'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count <= most;
}

/** Finds the groups through their active runs. */
function groupsOfRuns(db: Db, groups: RowsQuery<'groups'>, since: Since): RowsQuery<'groups'> {
  const started = startedAround(db, since).where((eb) => endsSince(eb, since));
  const groupIds = idsOf(started, since).unionAll(startedBefore(db, since));
  const ids = since.agent ? groupIds : groupIds.unionAll(lastActiveDuring(db, since));
  return groups.where('groups.id', 'in', ids);
}

/** Checks each group, and its runs in the range if the group's own times are not sufficient. */
function groupsWithActivity(
  db: Db,
  groups: RowsQuery<'groups'>,
  since: Since,
): RowsQuery<'groups'> {
  const { agent, start, end } = since;
  const started = startedAround(db, since).where((eb) => endsSince(eb, since));
  return groups.where((eb) =>
    eb.or([
      ...(agent || end === undefined
        ? []
        : [eb('groups.first_at', '>=', start), eb('groups.last_at', '<', end)]),
      eb.exists(ofGroup(started, since)),
      eb('groups.id', 'in', startedBefore(db, since)),
    ]),
  );
}

const ofGroup = (runs: Runs, { kind }: Activity) =>
  runs
    .where(sql.ref<string>(`runs.${groupIdColumn[kind]}`), '=', sql.ref<string>('groups.id'))
    .select(sql.lit(1).as('one'));

function idsOf(runs: Runs, { kind }: Activity) {
  const id = sql.ref<string>(`runs.${groupIdColumn[kind]}`);
  return runs.where(id, 'is not', null).select(id.as('id'));
}

const runsUntilEnd = (db: Db, activity: Activity): Runs =>
  activity.agent
    ? allUntilEnd(db, activity).where('runs.agent_name', '=', activity.agent)
    : allUntilEnd(db, activity);

function allUntilEnd(db: Db, { tenantId, end }: Activity): Runs {
  const runs = runsOf(db, tenantId);
  return end === undefined ? runs : runs.where('runs.started_at', '<', end);
}

/**
 * Selects the runs that started in the range, or shortly enough before it to be still active in it.
 */
const startedAround = (db: Db, since: Since): Runs =>
  runsUntilEnd(db, since).where('runs.started_at', '>=', since.start - LONG_RUN_MS);

const endsSince = (eb: ExpressionBuilder<Tables, 'runs'>, { start }: Since) =>
  eb.or([eb('runs.completed_at', 'is', null), eb('runs.completed_at', '>=', start)]);

/**
 * Selects the groups of runs that started before the range and ended in or after it, or are still
 * running.
 */
function startedBefore(db: Db, since: Since) {
  const { agent, start } = since;
  const before = allUntilEnd(db, since).where('runs.started_at', '<', start);
  const long = before.where(isLongRun).where('runs.completed_at', '>=', start);
  const running = before.where('runs.status', '=', 'running');
  const [ofLong, ofRunning] = [long, running].map((runs) =>
    // It is an expression, because for the bare column SQLite would read all runs of the agent.
    agent ? runs.where(sql`runs.agent_name || ''`, '=', agent) : runs,
  ) as [Runs, Runs];
  return idsOf(ofLong, since).unionAll(idsOf(ofRunning, since));
}

/**
 * Selects the groups by their last activity, which includes telemetry recorded after the end of a
 * run.
 */
function lastActiveDuring(db: Db, { kind, tenantId, start, end }: Since) {
  let groups = groupsOf(db, kind, tenantId).where('groups.last_at', '>=', start);
  if (end !== undefined) groups = groups.where('groups.last_at', '<', end);
  return groups.select('groups.id');
}

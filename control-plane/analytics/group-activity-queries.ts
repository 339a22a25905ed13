import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { isLongRun, LONG_RUN_MS } from '../storage/long-runs.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { GroupKind } from './group-rules.ts';
import { withRunOf } from './group-of-agent-queries.ts';
import { groupsOf, idOf, type Rows, runsOf, totalOf, totalOfAgent } from './group-table-queries.ts';

export interface Activity {
  kind: GroupKind;
  tenantId: string;
  /** Whose runs count; of all when unset. */
  agent?: string | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

/** What the first and the last activity of a group alone do not tell. */
interface Since extends Activity {
  start: number;
}

type Runs = SelectQueryBuilder<Tables, 'runs', object>;

/** To see whether a group belongs takes less than to come to it from a run: so much less. */
const GROUPS_PER_RUN = 4;

/**
 * Groups in which something went on during a time. A run goes on from its start to its end; while
 * it has none, to the last activity of its group.
 */
export async function activeDuring(
  db: Db,
  groups: Rows<'groups'>,
  activity: Activity,
): Promise<Rows<'groups'>> {
  const { agent, start, end } = activity;
  let possible = groups;
  if (start !== undefined) possible = possible.where('groups.last_at', '>=', start);
  if (end !== undefined) possible = possible.where('groups.first_at', '<', end);
  if (!agent && (start === undefined || end === undefined)) return possible;
  if (start !== undefined && (await areFew(db, { ...activity, start })))
    return amongRuns(db, possible, { ...activity, start });
  const seen = agent ? withRunOf(db, possible, { ...activity, agent }) : possible;
  return start === undefined
    ? seen.where((eb) => eb.exists(ofGroup(runsUntilEnd(db, activity), activity)))
    : groupActivity(db, seen, { ...activity, start });
}

/** Are the runs that began about the time so few that it is better to begin with them? */
async function areFew(db: Db, since: Since): Promise<boolean> {
  const { kind, tenantId, agent } = since;
  const groups = agent
    ? await totalOfAgent(db, kind, tenantId, agent)
    : await totalOf(db, kind, tenantId);
  const most = Math.floor(groups / GROUPS_PER_RUN);
  const begun = begunAbout(db, since)
    .select('runs.id')
    .limit(most + 1);
  const { count } = await db
    .selectFrom(begun.as('begun'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count <= most;
}

/** The runs that went on lead to the groups. */
function amongRuns(db: Db, groups: Rows<'groups'>, since: Since): Rows<'groups'> {
  const begun = begunAbout(db, since).where((eb) => endsSince(eb, since));
  const found = idsOf(begun, since).unionAll(begunBefore(db, since));
  const ids = since.agent ? found : found.unionAll(lastActiveDuring(db, since));
  return groups.where('groups.id', 'in', ids);
}

/** Each group is seen, and where it does not tell by itself, its runs of the time. */
function groupActivity(db: Db, groups: Rows<'groups'>, since: Since): Rows<'groups'> {
  const { agent, start, end } = since;
  const begun = begunAbout(db, since).where((eb) => endsSince(eb, since));
  return groups.where((eb) =>
    eb.or([
      ...(agent || end === undefined
        ? []
        : [eb('groups.first_at', '>=', start), eb('groups.last_at', '<', end)]),
      eb.exists(ofGroup(begun, since)),
      eb('groups.id', 'in', begunBefore(db, since)),
    ]),
  );
}

const ofGroup = (runs: Runs, { kind }: Activity) =>
  runs
    .where(sql.ref<string>(`runs.${idOf[kind]}`), '=', sql.ref<string>('groups.id'))
    .select(sql.lit(1).as('one'));

function idsOf(runs: Runs, { kind }: Activity) {
  const id = sql.ref<string>(`runs.${idOf[kind]}`);
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

/** Those that began in the time, or so shortly before that they may still have gone on. */
const begunAbout = (db: Db, since: Since): Runs =>
  runsUntilEnd(db, since).where('runs.started_at', '>=', since.start - LONG_RUN_MS);

const endsSince = (eb: ExpressionBuilder<Tables, 'runs'>, { start }: Since) =>
  eb.or([eb('runs.completed_at', 'is', null), eb('runs.completed_at', '>=', start)]);

/** The groups of runs that began before the time, and ended in it or later, or not yet. */
function begunBefore(db: Db, since: Since) {
  const { agent, start } = since;
  const before = allUntilEnd(db, since).where('runs.started_at', '<', start);
  const long = before.where(isLongRun).where('runs.completed_at', '>=', start);
  const running = before.where('runs.status', '=', 'running');
  const [ofLong, ofRunning] = [long, running].map((runs) =>
    // Not the column itself: SQLite would read all that the agent ever ran.
    agent ? runs.where(sql`runs.agent_name || ''`, '=', agent) : runs,
  ) as [Runs, Runs];
  return idsOf(ofLong, since).unionAll(idsOf(ofRunning, since));
}

/** What is recorded on a run after its end is activity of its group all the same. */
function lastActiveDuring(db: Db, { kind, tenantId, start, end }: Since) {
  let groups = groupsOf(db, kind, tenantId).where('groups.last_at', '>=', start);
  if (end !== undefined) groups = groups.where('groups.last_at', '<', end);
  return groups.select('groups.id');
}

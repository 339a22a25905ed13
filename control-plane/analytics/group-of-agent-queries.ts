import type { Db } from '../storage/open.ts';
import { type GroupKind, isIndexed } from './group-rules.ts';
import {
  agentsOf,
  groupsOf,
  sortedBy,
  type Page,
  listPage,
  type RowsQuery,
  countGroups,
  countGroupsOfAgent,
} from './group-table-queries.ts';

interface TotalsKey {
  kind: GroupKind;
  tenantId: string;
  agent: string;
}

/**
 * The maximum length of a walk, as a multiple of the length that would be sufficient if the groups
 * were evenly distributed.
 */
const MAX_WALK_FACTOR = 4;

/**
 * Returns one page of the groups with runs of an agent, and their number. If the agent has many
 * groups, walking all groups in order soon finds a page; if it has few, sorting them is cheap. The
 * counts show which is cheaper, and a walk stops when sorting would be cheaper.
 */
export async function listGroupsOfAgent(db: Db, key: TotalsKey, page: Page) {
  const { kind, tenantId, agent } = key;
  const [all, count] = await Promise.all([
    countGroups(db, kind, tenantId),
    countGroupsOfAgent(db, kind, tenantId, agent),
  ]);
  const last = page.offset + page.limit;
  const steps = Math.ceil((MAX_WALK_FACTOR * last * all) / count);
  if (isIndexed(page.sort.by) && last <= count && steps < count) {
    const rows = await listPage(kind, groupsAmongFirst(db, key, page, steps), page);
    if (rows.length === page.limit) return { rows, count };
  }
  return { rows: await listPage(kind, groupsOfAgent(db, key), page), count };
}

/** Selects the agent's groups among the first `steps` of all groups. */
function groupsAmongFirst(
  db: Db,
  { kind, tenantId, agent }: TotalsKey,
  { sort }: Page,
  steps: number,
) {
  const first = sortedBy(kind, groupsOf(db, kind, tenantId), sort);
  const groups = db.selectFrom(first.limit(steps).as('groups')) as RowsQuery<'groups'>;
  return groups.where((eb) => {
    const own = agentsOf(db, kind, tenantId).where('agents.agent_name', '=', agent);
    return eb.exists(own.select('agents.id').where('agents.id', '=', eb.ref('groups.id')));
  });
}

export const groupsOfAgent = (db: Db, key: TotalsKey): RowsQuery<'groups'> =>
  withRunsOfAgent(db, groupsOf(db, key.kind, key.tenantId), key);

/** Restricts groups to those with a run of the agent. */
export function withRunsOfAgent(
  db: Db,
  groups: RowsQuery<'groups'>,
  { kind, tenantId, agent }: TotalsKey,
): RowsQuery<'groups'> {
  const own = agentsOf(db, kind, tenantId).where('agents.agent_name', '=', agent);
  return groups.where('groups.id', 'in', own.select('agents.id'));
}

import type { Db } from '../storage/open.ts';
import type { GroupKind } from './group-rules.ts';
import {
  agentsOf,
  groupsOf,
  sortedBy,
  type Page,
  pageOf,
  type Rows,
  totalOf,
  totalOfAgent,
} from './group-table-queries.ts';

interface TotalsKey {
  kind: GroupKind;
  tenantId: string;
  agent: string;
}

/** How much farther than over evenly spread groups it is worth walking. */
const PATIENCE = 4;

/**
 * One page of the groups that an agent has a run in, and how many there are. An agent of many
 * groups is met soon when all groups are walked in order, and one of few has few to sort: which of
 * the two is less is known beforehand, and a walk that leads nowhere ends where sorting is cheaper.
 */
export async function listOfAgent(db: Db, place: TotalsKey, page: Page) {
  const { kind, tenantId, agent } = place;
  const [all, count] = await Promise.all([
    totalOf(db, kind, tenantId),
    totalOfAgent(db, kind, tenantId, agent),
  ]);
  const last = page.offset + page.limit;
  const steps = Math.ceil((PATIENCE * last * all) / count);
  if (last <= count && steps < count) {
    const rows = await pageOf(walked(db, place, page, steps), page);
    if (rows.length === page.limit) return { rows, count };
  }
  return { rows: await pageOf(ofAgent(db, place), page), count };
}

/** Those among the first `steps` groups of all. */
function walked(db: Db, { kind, tenantId, agent }: TotalsKey, { sort }: Page, steps: number) {
  const first = sortedBy(groupsOf(db, kind, tenantId), sort);
  const groups = db.selectFrom(first.limit(steps).as('groups')) as unknown as Rows<'groups'>;
  return groups.where((eb) => {
    const own = agentsOf(db, kind, tenantId).where('agents.agent_name', '=', agent);
    return eb.exists(own.select('agents.id').where('agents.id', '=', eb.ref('groups.id')));
  });
}

export const ofAgent = (db: Db, place: TotalsKey): Rows<'groups'> =>
  withRunOf(db, groupsOf(db, place.kind, place.tenantId), place);

/** Those of the groups that the agent has a run in. */
export function withRunOf(
  db: Db,
  groups: Rows<'groups'>,
  { kind, tenantId, agent }: TotalsKey,
): Rows<'groups'> {
  const own = agentsOf(db, kind, tenantId).where('agents.agent_name', '=', agent);
  return groups.where('groups.id', 'in', own.select('agents.id'));
}

import type { AnyMerge, Merging } from '../storage/bulk.ts';
import { sortByKey } from '../storage/row-order.ts';
import type { Tables } from '../storage/tables.ts';

/** The tables of totals whose rows are counted, because every list shows their number. */
const kinds = {
  run_sessions: 'sessions',
  tracked_users: 'users',
  session_agents: 'sessions',
  user_agents: 'users',
} as const;

export type GroupTable = keyof typeof kinds;
export const groupTables = Object.keys(kinds) as GroupTable[];
export const isGroupTable = (table: string): table is GroupTable => table in kinds;

const merging: Merging<'group_totals'> = { key: ['tenant_id', 'kind'], add: ['total'] };
const agentMerging: Merging<'agent_group_totals'> = {
  key: ['tenant_id', 'kind', 'agent_name'],
  add: ['total'],
};

/** The number of rows that a transaction added to these tables (+1 each) and deleted (−1 each). */
export interface GroupCount {
  add(table: GroupTable, row: { tenant_id: string; agent_name?: string }, by: 1 | -1): void;
  merges(): AnyMerge[];
}

export function newGroupCount(): GroupCount {
  const groups = new Map<string, Tables['group_totals']>();
  const agents = new Map<string, Tables['agent_group_totals']>();
  return {
    add(table, { tenant_id, agent_name }, by) {
      const kind = kinds[table];
      if (agent_name === undefined) addTo(groups, tenant_id, { tenant_id, kind, total: by });
      else addTo(agents, `${tenant_id}\0${agent_name}`, { tenant_id, kind, agent_name, total: by });
    },
    merges: () => [
      { table: 'group_totals', merging, rows: sortByKey(groups) },
      { table: 'agent_group_totals', merging: agentMerging, rows: sortByKey(agents) },
    ],
  };
}

function addTo<R extends Tables['group_totals']>(rows: Map<string, R>, of: string, row: R): void {
  const key = `${row.kind}\0${of}`;
  const existing = rows.get(key);
  if (existing) existing.total += row.total;
  else rows.set(key, row);
}

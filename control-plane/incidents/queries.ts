import type { SelectQueryBuilder } from 'kysely';
import { contains } from '../storage/contains.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { valueList } from '../storage/value-list.ts';

/** A filter for incidents, and for the evaluations that they come from. */
export interface Filter {
  policy_id?: string | undefined;
  category?: string | undefined;
  action?: Tables['incidents']['action'] | undefined;
  agent?: string | undefined;
  run_id?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
  limit: number;
  offset: number;
}

export type IncidentFilter = Omit<Filter, 'limit' | 'offset'> & {
  status?: Tables['incidents']['status'] | undefined;
  source?: Tables['incidents']['source'] | undefined;
  severity?: Tables['incidents']['severity'] | undefined;
  device_id?: string | undefined;
  /** The id of a user, or `none`. */
  assignee?: string | undefined;
  search?: string | undefined;
  group?: string[] | undefined;
  ids?: string[] | undefined;
};

export type Incidents = SelectQueryBuilder<Tables, 'incidents', object>;

/** Selects the incidents that pass the filter. */
export function incidentsOf(db: Db, tenantId: string, filter: IncidentFilter): Incidents {
  let rows: Incidents = db.selectFrom('incidents').where('tenant_id', '=', tenantId);
  if (filter.policy_id) rows = rows.where('policy_id', '=', filter.policy_id);
  if (filter.category) rows = rows.where('category', '=', filter.category);
  if (filter.action) rows = rows.where('action', '=', filter.action);
  if (filter.agent) rows = rows.where('agent_name', '=', filter.agent);
  if (filter.run_id) rows = rows.where('run_id', '=', filter.run_id);
  if (filter.start !== undefined) rows = rows.where('created_at', '>=', filter.start);
  if (filter.end !== undefined) rows = rows.where('created_at', '<', filter.end);
  return withTriage(rows, filter);
}

function withTriage(all: Incidents, filter: IncidentFilter): Incidents {
  let rows = all;
  if (filter.status) rows = rows.where('status', '=', filter.status);
  if (filter.source) rows = rows.where('source', '=', filter.source);
  if (filter.severity) rows = rows.where('severity', '=', filter.severity);
  if (filter.device_id) rows = rows.where('device_id', '=', filter.device_id);
  if (filter.assignee === 'none') rows = rows.where('assignee_id', 'is', null);
  else if (filter.assignee) rows = rows.where('assignee_id', '=', filter.assignee);
  if (filter.group?.length) rows = rows.where('group_id', 'in', valueList(filter.group));
  if (filter.ids) rows = rows.where('id', 'in', valueList(filter.ids));
  const { search } = filter;
  return search ? rows.where((eb) => eb.or(searched.map((name) => contains(name, search)))) : rows;
}

const searched = [
  'reason',
  'note',
  'policy_name',
  'agent_name',
  'workflow_name',
  'hostname',
  'app_name',
] as const;

export async function listIncidents(
  db: Db,
  tenantId: string,
  { limit, offset, ...filter }: IncidentFilter & Pick<Filter, 'limit' | 'offset'>,
) {
  const incidents = incidentsOf(db, tenantId, filter);
  const rows = await incidents
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(incidents) };
}

/** Yields incidents, newest first, a few at a time. Those opened in the meantime are omitted. */
export async function* eachIncident(
  db: Db,
  tenantId: string,
  filter: IncidentFilter,
  size: number,
): AsyncGenerator<Tables['incidents'][]> {
  let after: string | undefined;
  for (;;) {
    let incidents = incidentsOf(db, tenantId, filter);
    if (after !== undefined) incidents = incidents.where('id', '<', after);
    // Ids sort by time.
    const rows = await incidents.selectAll().orderBy('id', 'desc').limit(size).execute();
    yield rows;
    after = rows.at(-1)?.id;
    if (rows.length < size || after === undefined) return;
  }
}

export const findIncident = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('incidents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The columns of incidents that people change. */
export type IncidentChanges = Partial<
  Pick<Tables['incidents'], 'status' | 'severity' | 'assignee_id' | 'note'>
>;

/**
 * Lists a batch of the incidents to change, after this one. The transaction's first write locks
 * them.
 */
export const listBatch = (
  tx: Tx,
  tenantId: string,
  filter: IncidentFilter,
  { after, size }: { after: string; size: number },
) =>
  incidentsOf(tx.db, tenantId, filter)
    .select(['id', 'status', 'severity', 'assignee_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(size)
    .execute();

export async function changeIncidents(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  changes: IncidentChanges & { updated_at: number },
): Promise<void> {
  await tx.db
    .updateTable('incidents')
    .set(changes)
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
    .execute();
}

/** Lists the users that can be assigned to incidents. */
export const listAssignees = (db: Db, tenantId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('tenant_id', '=', tenantId)
    .where('disabled', '=', 0)
    .orderBy('email')
    .execute();

export async function isAssignable(db: Db, tenantId: string, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .where('disabled', '=', 0)
    .executeTakeFirst();
  return user !== undefined;
}

import { countOf } from '../storage/count.ts';
import type { Db, Trx } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';

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

function matchingIncidents(db: Db, tenantId: string, filter: Filter) {
  let rows = db.selectFrom('incidents').where('tenant_id', '=', tenantId);
  if (filter.policy_id) rows = rows.where('policy_id', '=', filter.policy_id);
  if (filter.category) rows = rows.where('category', '=', filter.category);
  if (filter.action) rows = rows.where('action', '=', filter.action);
  if (filter.agent) rows = rows.where('agent_name', '=', filter.agent);
  if (filter.run_id) rows = rows.where('run_id', '=', filter.run_id);
  if (filter.start !== undefined) rows = rows.where('created_at', '>=', filter.start);
  if (filter.end !== undefined) rows = rows.where('created_at', '<', filter.end);
  return rows;
}

export async function listIncidents(
  db: Db,
  tenantId: string,
  filter: Filter & {
    status?: Tables['incidents']['status'] | undefined;
    source?: Tables['incidents']['source'] | undefined;
    device_id?: string | undefined;
  },
) {
  let incidents = matchingIncidents(db, tenantId, filter);
  if (filter.status) incidents = incidents.where('status', '=', filter.status);
  if (filter.source) incidents = incidents.where('source', '=', filter.source);
  if (filter.device_id) incidents = incidents.where('device_id', '=', filter.device_id);
  const rows = await incidents
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows, count: await countOf(incidents) };
}

export const findIncident = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('incidents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function updateIncident(
  trx: Trx,
  incident: Pick<Tables['incidents'], 'tenant_id' | 'id' | 'status' | 'note' | 'updated_at'>,
): Promise<void> {
  const { tenant_id, id, status, note, updated_at } = incident;
  await trx
    .updateTable('incidents')
    .set({ status, note, updated_at })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

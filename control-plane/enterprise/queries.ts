import type { AddOnCode } from '#contract/route.ts';
import type { PageRows } from '../http/pagination.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { IncidentTable } from '../storage/tables/governance.ts';
import type { Tx } from '../storage/transaction.ts';
import { withDescendants } from '../tenants/queries.ts';

/** Activates an add-on; returns false if it is already active. */
export async function insertAddOn(
  tx: Tx,
  tenant_id: string,
  code: AddOnCode,
  activated_at: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('tenant_add_ons')
    .values({ tenant_id, code, activated_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deactivates an add-on; returns false if it is not active. */
export async function deleteAddOn(tx: Tx, tenantId: string, code: AddOnCode): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('tenant_add_ons')
    .where('tenant_id', '=', tenantId)
    .where('code', '=', code)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export interface IncidentFilter {
  status?: IncidentTable['status'] | undefined;
  category?: string | undefined;
  limit: number;
  offset: number;
}

/** Lists the incidents of a tenant and its descendants, newest first. */
export async function listIncidentsWithin(
  db: Db,
  tenantId: string,
  { status, category, limit, offset }: IncidentFilter,
): Promise<PageRows<IncidentTable & { tenant_name: string }>> {
  let incidents = withDescendants(db, tenantId)
    .selectFrom('incidents')
    .innerJoin('within', 'within.id', 'incidents.tenant_id')
    .innerJoin('tenants', 'tenants.id', 'incidents.tenant_id');
  if (status) incidents = incidents.where('incidents.status', '=', status);
  if (category) incidents = incidents.where('incidents.category', '=', category);
  const rows = await incidents
    .selectAll('incidents')
    .select('tenants.name as tenant_name')
    .orderBy('incidents.created_at', 'desc')
    .orderBy('incidents.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(incidents) };
}

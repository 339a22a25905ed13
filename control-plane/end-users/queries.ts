import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

type Limits = Tables['end_user_limits'];
type Kind = Limits['kind'];

export interface EndUserKey {
  kind: Kind;
  id: string;
}

export async function listLimits(
  db: Db,
  tenantId: string,
  { kind, limit, offset }: { kind?: Kind | undefined; limit: number; offset: number },
) {
  let all = db.selectFrom('end_user_limits').where('tenant_id', '=', tenantId);
  if (kind) all = all.where('kind', '=', kind);
  const rows = await all
    .selectAll()
    .orderBy('kind')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(all) };
}

export const findLimits = (db: Db, tenantId: string, { kind, id }: EndUserKey) =>
  db
    .selectFrom('end_user_limits')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();

export async function putLimits(tx: Tx, row: Limits): Promise<void> {
  const { monthly_budget, requests_per_minute, updated_at } = row;
  await tx.db
    .insertInto('end_user_limits')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'kind', 'id'])
        .doUpdateSet({ monthly_budget, requests_per_minute, updated_at }),
    )
    .execute();
}

export async function deleteLimits(
  tx: Tx,
  tenantId: string,
  { kind, id }: EndUserKey,
): Promise<void> {
  await tx.db
    .deleteFrom('end_user_limits')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute();
}

import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';

/** Returns the marks by key. */
export async function readMarks(db: Db, tenantId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('notification_marks')
    .select(['key', 'value'])
    .where('tenant_id', '=', tenantId)
    .execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

export async function putMark(
  tx: Tx,
  tenant_id: string,
  key: string,
  set: { value: string; updated_at: number },
): Promise<void> {
  await tx.db
    .insertInto('notification_marks')
    .values({ tenant_id, key, ...set })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doUpdateSet(set))
    .execute();
}

export async function deleteMark(tx: Tx, tenantId: string, key: string): Promise<void> {
  await tx.db
    .deleteFrom('notification_marks')
    .where('tenant_id', '=', tenantId)
    .where('key', '=', key)
    .execute();
}

/** Deletes marks of states that cannot last that long. */
export async function deleteOldMarks(
  tx: Tx,
  tenantId: string,
  prefix: string,
  before: number,
): Promise<void> {
  await tx.db
    .deleteFrom('notification_marks')
    .where('tenant_id', '=', tenantId)
    .where('key', 'like', `${prefix}%`)
    .where('updated_at', '<', before)
    .execute();
}

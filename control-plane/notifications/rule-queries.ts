import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type Rule = Tables['notification_rules'];

export const listRules = (db: Db, tenantId: string): Promise<Rule[]> =>
  db
    .selectFrom('notification_rules')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('name')
    .orderBy('id')
    .execute();

export const listEnabledRules = (db: Db, tenantId: string): Promise<Rule[]> =>
  db
    .selectFrom('notification_rules')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute();

export async function listTenantsWithRules(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('notification_rules')
    .select('tenant_id')
    .distinct()
    .where('enabled', '=', 1)
    .execute();
  return rows.map(({ tenant_id }) => tenant_id);
}

export const findRule = (db: Db, tenantId: string, id: string): Promise<Rule | undefined> =>
  db
    .selectFrom('notification_rules')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function insertRule(tx: Tx, rule: Rule): Promise<void> {
  await tx.db.insertInto('notification_rules').values(rule).execute();
}

export async function updateRule(tx: Tx, rule: Rule): Promise<void> {
  const { tenant_id, id, ...values } = rule;
  await tx.db
    .updateTable('notification_rules')
    .set(values)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteRule(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db
    .deleteFrom('notification_rules')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

import type { Db } from '../storage/open.ts';
import type { InventoryRuleTable } from '../storage/tables/inventory.ts';
import type { Tx } from '../storage/transaction.ts';

export type RuleRow = Omit<InventoryRuleTable, 'tenant_id'>;
export type RuleWithCounts = RuleRow & {
  open_incidents: number;
  /**
   * Whether there are changes to which rules were not applied yet, or blocks that were not sent to
   * devices.
   */
  changes_wait?: unknown;
  blocks_not_in_force?: number;
};

const rulesOf = (db: Db, tenantId: string) =>
  db
    .selectFrom('inventory_rules')
    .where('inventory_rules.tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null);

const withIncidents = (db: Db, tenantId: string) =>
  rulesOf(db, tenantId)
    .selectAll('inventory_rules')
    .select((eb) =>
      eb
        .selectFrom('incidents')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('incidents.policy_id', '=', 'inventory_rules.id')
        .where('incidents.tenant_id', '=', tenantId)
        .where('incidents.status', '!=', 'resolved')
        .$asScalar()
        .$castTo<number>()
        .as('open_incidents'),
    )
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('app_changes')
            .select('token')
            .where('app_changes.tenant_id', '=', tenantId),
        )
        .as('changes_wait'),
    );

export async function listRules(
  db: Db,
  tenantId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: RuleWithCounts[]; count: number }> {
  const rows = await withIncidents(db, tenantId)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await rulesOf(db, tenantId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { rows, count };
}

export const findRule = (
  db: Db,
  tenantId: string,
  id: string,
): Promise<RuleWithCounts | undefined> =>
  withIncidents(db, tenantId).where('inventory_rules.id', '=', id).executeTakeFirst();

/** Whether another rule has this name. */
export async function isNameTaken(
  db: Db,
  tenantId: string,
  { id, name }: Pick<RuleRow, 'id' | 'name'>,
): Promise<boolean> {
  const other = await rulesOf(db, tenantId)
    .select('id')
    .where('name', '=', name)
    .where('id', '!=', id)
    .executeTakeFirst();
  return other !== undefined;
}

export const insertRule = async (tx: Tx, tenantId: string, row: RuleRow): Promise<void> =>
  void (await tx.db
    .insertInto('inventory_rules')
    .values({ tenant_id: tenantId, ...row })
    .execute());

export async function updateRule(tx: Tx, tenantId: string, row: RuleRow): Promise<void> {
  const { id, ...changed } = row;
  await tx.db
    .updateTable('inventory_rules')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

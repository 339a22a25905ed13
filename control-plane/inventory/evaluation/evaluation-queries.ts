import type { InventoryCondition, InventoryScope } from '#contract/inventory-rules.ts';
import { sql } from 'kysely';
import type { Rows } from '../../storage/bulk.ts';
import type { Db } from '../../storage/open.ts';
import type { InventoryRuleTable } from '../../storage/tables/inventory.ts';
import { countIncident } from '../../storage/incident-hours.ts';
import { valueList } from '../../storage/value-list.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { GroupFacts } from '../matching.ts';
import type { FoundApp, IncidentChange, GroupOnDevice, StoredRule } from './transitions.ts';

/** A group of apps on a device. */
export interface Pair {
  group_id: string;
  device_id: string;
}
/** Sorts before all pairs. */
export const START: Pair = { group_id: '', device_id: '' };

export type Change = Pair & { token: string };

/** Lists the pending changes after this one. */
export const listChanges = (
  db: Db,
  tenantId: string,
  { group_id, device_id }: Pair,
  limit: number,
): Promise<Change[]> =>
  db
    .selectFrom('app_changes')
    .select(['group_id', 'device_id', 'token'])
    .where('tenant_id', '=', tenantId)
    // A row without a group marks a device whose blocks must be sent (blocks-due.ts).
    .where('group_id', '!=', '')
    .where(sql<boolean>`(group_id, device_id) > (${group_id}, ${device_id})`)
    .orderBy('group_id')
    .orderBy('device_id')
    .limit(limit)
    .execute();

/**
 * Deletes changes that have not changed again in the meantime. They are deleted one by one in the
 * order of their keys, in which reports write them, to avoid deadlocks.
 */
export async function deleteChanges(
  tx: Tx,
  tenantId: string,
  changes: readonly Change[],
): Promise<void> {
  for (const { group_id, device_id, token } of changes)
    await tx.db
      .deleteFrom('app_changes')
      .where('tenant_id', '=', tenantId)
      .where('group_id', '=', group_id)
      .where('device_id', '=', device_id)
      .where('token', '=', token)
      .execute();
}

export const asRule = (row: InventoryRuleTable): StoredRule & { evaluated_to: string | null } => ({
  id: row.id,
  name: row.name,
  active: row.enabled === 1 && row.deleted_at === null,
  condition: JSON.parse(row.condition) as InventoryCondition,
  scope: JSON.parse(row.scope) as InventoryScope,
  action: row.action,
  evaluated_to: row.evaluated_to,
});

export async function listActiveRules(db: Db, tenantId: string): Promise<StoredRule[]> {
  const rows = await db
    .selectFrom('inventory_rules')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(asRule);
}

/** Lists the rules that are not applied to all devices yet. */
export async function listUnevaluated(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('inventory_rules')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('evaluated_to', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const findRuleRow = (db: Db, tenantId: string, id: string) =>
  db
    .selectFrom('inventory_rules')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function setEvaluated(
  tx: Tx,
  tenantId: string,
  id: string,
  evaluated_to: string | null,
): Promise<void> {
  await tx.db
    .updateTable('inventory_rules')
    .set({ evaluated_to })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a rule without findings, with its blocks. */
export async function forgetRule(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db
    .deleteFrom('inventory_blocks')
    .where('tenant_id', '=', tenantId)
    .where('rule_id', '=', id)
    .execute();
  await tx.db
    .deleteFrom('inventory_rules')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Lists the devices that have, or had, an app of the group, after this one. */
export async function listDevicesOfGroup(
  db: Db,
  tenantId: string,
  { group_id, device_id }: Pair,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('apps')
    .select('device_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('group_id', '=', group_id)
    .where('device_id', '>', device_id)
    .orderBy('device_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.device_id);
}

/** Lists the groups and devices on which a rule has findings, after this one. */
export const listFindingPositions = async (
  db: Db,
  tenantId: string,
  ruleId: string,
  { group_id, device_id }: Pair,
  limit: number,
): Promise<Pair[]> => {
  const rows = await db
    .selectFrom('incidents')
    .select(['app_group_id', 'device_id'])
    .where('tenant_id', '=', tenantId)
    .where('policy_id', '=', ruleId)
    .where('app_group_id', 'is not', null)
    .where('holds', '=', 1)
    .where(sql<boolean>`(app_group_id, device_id) > (${group_id}, ${device_id})`)
    .orderBy('app_group_id')
    .orderBy('device_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ group_id: row.app_group_id ?? '', device_id: row.device_id ?? '' }));
};

/**
 * Lists the current apps of a group on these devices, including devices without any. It is one
 * statement: a scan that commits between two would make its apps look gone.
 */
export async function listAppsOnDevices(
  db: Db,
  tenantId: string,
  group: GroupFacts & { id: string },
  deviceIds: readonly string[],
): Promise<GroupOnDevice[]> {
  const rows = await db
    .selectFrom('devices as d')
    .leftJoin('apps as a', (join) =>
      join
        .onRef('a.tenant_id', '=', 'd.tenant_id')
        .onRef('a.device_id', '=', 'd.id')
        .onRef('a.last_seen', '=', 'd.scanned_at')
        .on('a.group_id', '=', group.id),
    )
    .select(['d.id', 'd.hostname', 'd.user_group'])
    .select(['a.version', 'a.risk_flags', 'a.path', 'a.user', 'a.evidence'])
    .where('d.tenant_id', '=', tenantId)
    .where('d.id', 'in', valueList(deviceIds))
    .orderBy('a.id')
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofDevice) => {
    const [{ id, hostname, user_group }] = ofDevice as [(typeof rows)[number]];
    const apps = ofDevice.flatMap((row): FoundApp[] => {
      const { version, risk_flags, path, user, evidence } = row;
      if (path === null || risk_flags === null || evidence === null) return [];
      const lists = {
        risk_flags: JSON.parse(risk_flags) as string[],
        evidence: JSON.parse(evidence) as string[],
      };
      return [{ version, path, user, ...lists }];
    });
    return { group, device: { id, hostname, user_group }, apps };
  });
}

/** Lists the incidents of rules about a group on these devices. */
export const listIncidentsAt = (
  tx: Tx,
  tenantId: string,
  groupId: string,
  at: { rules: readonly string[]; devices: readonly string[] },
) =>
  tx.db
    .selectFrom('incidents')
    .select(['id', 'policy_id', 'device_id', 'reason', 'metadata', 'action', 'policy_name'])
    .select(['note', 'occurrences', 'status', 'holds'])
    .where('tenant_id', '=', tenantId)
    .where('policy_id', 'in', valueList(at.rules))
    .where('app_group_id', '=', groupId)
    .where('device_id', 'in', valueList(at.devices))
    .execute();

export const insertIncidents = async (tx: Tx, rows: Rows<'incidents'>): Promise<void> => {
  for (const row of rows) {
    await tx.db.insertInto('incidents').values(row).execute();
    await countIncident(tx, row);
  }
};

export async function changeIncident(
  tx: Tx,
  tenantId: string,
  id: string,
  change: IncidentChange,
): Promise<void> {
  await tx.db
    .updateTable('incidents')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Lists the blocks of rules on these devices because of a group. */
export const listBlocksAt = (
  tx: Tx,
  tenantId: string,
  groupId: string,
  devices: readonly string[],
) =>
  tx.db
    .selectFrom('inventory_blocks')
    .select(['device_id', 'rule_id', 'processes'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', 'in', valueList(devices))
    .where('app_group_id', '=', groupId)
    .execute();

type BlockRow = Rows<'inventory_blocks'>[number];

export async function putBlock(tx: Tx, row: BlockRow): Promise<void> {
  const { app_name, processes } = row;
  await tx.db
    .insertInto('inventory_blocks')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'device_id', 'rule_id', 'app_group_id'])
        .doUpdateSet({ app_name, processes }),
    )
    .execute();
}

export async function deleteBlock(
  tx: Tx,
  { tenant_id, device_id, rule_id, app_group_id }: Omit<BlockRow, 'app_name' | 'processes'>,
): Promise<void> {
  await tx.db
    .deleteFrom('inventory_blocks')
    .where('tenant_id', '=', tenant_id)
    .where('device_id', '=', device_id)
    .where('rule_id', '=', rule_id)
    .where('app_group_id', '=', app_group_id)
    .execute();
}

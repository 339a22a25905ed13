import { sql } from 'kysely';
import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';

/** A block of a rule on a device, caused by an app. */
export interface Block {
  device_id: string;
  rule_id: string;
  rule_name: string;
  app_group_id: string;
  app_name: string;
  /** JSON: process names in Guard's format. */
  processes: string;
  /** JSON of the rule's condition. */
  condition: string;
  rule_created_at: number;
  /** When the first device of the fleet reported the app; null if unknown. */
  app_first_seen: number | null;
}

/** Lists the blocks of rules on these devices of a tenant, without disabled and deleted rules. */
export async function listBlocks(
  db: Db,
  tenantId: string,
  devices: readonly string[],
): Promise<Block[]> {
  return blocksOf(db, tenantId)
    .where('inventory_blocks.device_id', 'in', valueList(devices))
    .execute();
}

/** Lists the blocks of rules on one device. */
export const listBlocksOfDevice = (db: Db, tenantId: string, deviceId: string): Promise<Block[]> =>
  blocksOf(db, tenantId).where('inventory_blocks.device_id', '=', deviceId).execute();

const blocksOf = (db: Db, tenantId: string) =>
  db
    .selectFrom('inventory_blocks')
    .innerJoin('inventory_rules', (join) =>
      join
        .onRef('inventory_rules.tenant_id', '=', 'inventory_blocks.tenant_id')
        .onRef('inventory_rules.id', '=', 'inventory_blocks.rule_id'),
    )
    .leftJoin('app_groups', (join) =>
      join
        .onRef('app_groups.tenant_id', '=', 'inventory_blocks.tenant_id')
        .onRef('app_groups.id', '=', 'inventory_blocks.app_group_id'),
    )
    .select([
      'inventory_blocks.device_id',
      'inventory_blocks.rule_id',
      'inventory_rules.name as rule_name',
      'inventory_blocks.app_group_id',
      'inventory_blocks.app_name',
      'inventory_blocks.processes',
      'inventory_rules.condition',
      'inventory_rules.created_at as rule_created_at',
      'app_groups.first_seen as app_first_seen',
    ])
    .where('inventory_blocks.tenant_id', '=', tenantId)
    .where('inventory_rules.enabled', '=', 1)
    .where('inventory_rules.deleted_at', 'is', null)
    .where('inventory_rules.action', '=', 'block')
    .orderBy('inventory_rules.name')
    .orderBy('inventory_blocks.app_name')
    .orderBy('inventory_blocks.app_group_id');

/** The shortest form of a name in JSON: quotes, a comma and a letter. */
const MIN_NAME_LENGTH = 4;

/** Lists the devices on which rules may block more than `names` names. */
export async function listLargeBlocks(db: Db, tenantId: string, names: number): Promise<string[]> {
  const rows = await db
    .selectFrom('inventory_blocks')
    .select('device_id')
    .where('tenant_id', '=', tenantId)
    .groupBy('device_id')
    .having(sql<boolean>`sum(length(processes)) > ${names * MIN_NAME_LENGTH}`)
    .execute();
  return rows.map((row) => row.device_id);
}

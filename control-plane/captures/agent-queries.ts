import type { Db } from '../storage/open.ts';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';
import type { AgentRule } from './agent-rules.ts';

export interface StoredRule extends AgentRule {
  updated_at: number;
  updated_by: string;
}

type MappingKey = Pick<AgentRule, 'device_id' | 'app'>;

const columns = ['app', 'agent_name', 'updated_at', 'updated_by'] as const;

/** Finds the rules that apply to a device and some of its apps. */
export async function findAgentRules(
  db: Db,
  { tenantId, deviceId }: { tenantId: string; deviceId: string },
  apps: readonly string[],
): Promise<AgentRule[]> {
  const rows = await db
    .selectFrom('capture_agents')
    .select(['device_id', 'app', 'agent_name'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', 'in', ['', deviceId])
    .where('app', 'in', valueList(['', ...apps]))
    .execute();
  return rows.map(({ device_id, app, agent_name }) => ({
    device_id: device_id || null,
    app: app || null,
    agent_name,
  }));
}

/**
 * Lists all rules with device names. Rules for any device come first, and for each device those for
 * any app.
 */
export async function listAgentRules(
  db: Db,
  tenantId: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const all = db.selectFrom('capture_agents').where('capture_agents.tenant_id', '=', tenantId);
  const rows = await all
    .leftJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'capture_agents.tenant_id')
        .onRef('devices.id', '=', 'capture_agents.device_id'),
    )
    .select(['capture_agents.device_id', 'devices.hostname', ...columns])
    .orderBy('capture_agents.device_id')
    .orderBy('app')
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await all
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return {
    rows: rows.map(({ device_id, app, ...row }) => ({
      ...row,
      device_id: device_id || null,
      app: app || null,
    })),
    count,
  };
}

/** Finds the rule with exactly this device and app. */
export async function findAgentRule(
  tx: Tx,
  tenantId: string,
  key: MappingKey,
): Promise<StoredRule | undefined> {
  const row = await tx.db
    .selectFrom('capture_agents')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', key.device_id ?? '')
    .where('app', '=', key.app ?? '')
    .executeTakeFirst();
  return row && { ...row, ...key };
}

export async function putAgentRule(
  tx: Tx,
  tenant_id: string,
  { device_id, app, ...fields }: StoredRule,
): Promise<void> {
  await tx.db
    .insertInto('capture_agents')
    .values({ tenant_id, device_id: device_id ?? '', app: app ?? '', ...fields })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'device_id', 'app']).doUpdateSet(fields),
    )
    .execute();
}

export async function deleteAgentRule(
  tx: Tx,
  tenantId: string,
  { device_id, app }: MappingKey,
): Promise<void> {
  await tx.db
    .deleteFrom('capture_agents')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', device_id ?? '')
    .where('app', '=', app ?? '')
    .execute();
}

/** Finds the name of a device; undefined if it does not exist. */
export async function findHostname(
  db: Db,
  tenantId: string,
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('devices')
    .select('hostname')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.hostname;
}

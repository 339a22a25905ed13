import { ApiError } from '#contract/errors.ts';
import { type GuardConfig, type GuardLevel, guardLevels } from '#contract/guard.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';

export interface Layer {
  id: string;
  layer: GuardLevel;
  scope: string | null;
  config: GuardConfig;
  version: number;
  updated_at: number;
  updated_by: string;
}

const columns = ['id', 'layer', 'scope', 'config', 'version', 'updated_at', 'updated_by'] as const;

interface LayerRow extends Omit<Layer, 'scope' | 'config'> {
  scope: string;
  config: string;
}

const asLayer = (row: LayerRow): Layer => ({
  ...row,
  scope: row.scope || null,
  config: JSON.parse(row.config) as GuardConfig,
});

/** Lists all layers, broadest first. */
export async function listLayers(db: Db, tenantId: string): Promise<Layer[]> {
  const rows = await db
    .selectFrom('guard_layers')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .orderBy('scope')
    .execute();
  return rows
    .map(asLayer)
    .sort((a, b) => guardLevels.indexOf(a.layer) - guardLevels.indexOf(b.layer));
}

export async function findLayer(db: Db, tenantId: string, id: string): Promise<Layer> {
  const row = await db
    .selectFrom('guard_layers')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new ApiError('not_found', `there is no Guard layer ${id}`);
  return asLayer(row);
}

/** Finds the layer of one level and scope. */
export async function findLayerAt(
  db: Db,
  tenantId: string,
  { layer, scope }: Pick<Layer, 'layer' | 'scope'>,
): Promise<Layer | undefined> {
  const row = await db
    .selectFrom('guard_layers')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('layer', '=', layer)
    .where('scope', '=', scope ?? '')
    .executeTakeFirst();
  return row && asLayer(row);
}

/** Creates the layer of this level and scope, or replaces it, keeping its id. */
export async function putLayer(tx: Tx, tenantId: string, layer: Layer): Promise<Layer> {
  const row = { ...layer, scope: layer.scope ?? '', config: JSON.stringify(layer.config) };
  const { id: _id, layer: _level, scope: _scope, ...changed } = row;
  const stored = await tx.db
    .insertInto('guard_layers')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'layer', 'scope']).doUpdateSet(changed),
    )
    .returning(columns)
    .executeTakeFirstOrThrow();
  return asLayer(stored);
}

export async function deleteLayer(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.db
    .deleteFrom('guard_layers')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Finds a device's inputs to the current or a past cascade. */
export async function findGuardTarget(db: Db, tenantId: string, deviceId: string) {
  const row = await db
    .selectFrom('devices')
    .innerJoin('api_keys', (join) =>
      join
        .onRef('api_keys.tenant_id', '=', 'devices.tenant_id')
        .onRef('api_keys.id', '=', 'devices.api_key_id'),
    )
    .select(['devices.user_group', 'devices.enrolled_at', 'api_keys.profile_hosts'])
    .where('devices.tenant_id', '=', tenantId)
    .where('devices.id', '=', deviceId)
    .executeTakeFirst();
  if (!row) throw new ApiError('not_found', `there is no device ${deviceId}`);
  return {
    user_group: row.user_group ?? undefined,
    enrolled_at: row.enrolled_at,
    profileHosts: JSON.parse(row.profile_hosts ?? '[]') as string[],
  };
}

/**
 * Lists the hosts of all profiles with which devices of a user group enrolled, or those of all
 * devices.
 */
export async function listProfileHosts(
  db: Db,
  tenantId: string,
  userGroup: string | undefined,
): Promise<string[]> {
  let devices = db
    .selectFrom('devices')
    .innerJoin('api_keys', (join) =>
      join
        .onRef('api_keys.tenant_id', '=', 'devices.tenant_id')
        .onRef('api_keys.id', '=', 'devices.api_key_id'),
    )
    .select('api_keys.profile_hosts')
    .distinct()
    .where('devices.tenant_id', '=', tenantId)
    .where('devices.status', '!=', 'revoked');
  if (userGroup !== undefined) devices = devices.where('devices.user_group', '=', userGroup);
  const rows = await devices.execute();
  const hosts = rows.flatMap((row) => JSON.parse(row.profile_hosts ?? '[]') as string[]);
  return [...new Set(hosts)].sort();
}

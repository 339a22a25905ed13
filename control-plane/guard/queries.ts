import { ApiError } from '#contract/errors.ts';
import { type GuardConfig, type GuardLevel, guardLevels } from '#contract/guard.ts';
import type { Db } from '../storage/open.ts';

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

/** All layers, broadest first. */
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

/** The layer of one level and scope. */
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
export async function putLayer(db: Db, tenantId: string, layer: Layer): Promise<Layer> {
  const row = { ...layer, scope: layer.scope ?? '', config: JSON.stringify(layer.config) };
  const { id: _id, layer: _level, scope: _scope, ...changed } = row;
  const stored = await db
    .insertInto('guard_layers')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'layer', 'scope']).doUpdateSet(changed),
    )
    .returning(columns)
    .executeTakeFirstOrThrow();
  return asLayer(stored);
}

export async function deleteLayer(db: Db, tenantId: string, id: string): Promise<void> {
  await db
    .deleteFrom('guard_layers')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** Increments the version of the tenant's configuration. Concurrent changes get distinct ones. */
export async function nextConfigVersion(db: Db, tenantId: string): Promise<number> {
  const { config_version } = await db
    .updateTable('tenants')
    .set((eb) => ({ config_version: eb('config_version', '+', 1) }))
    .where('id', '=', tenantId)
    .returning('config_version')
    .executeTakeFirstOrThrow();
  return config_version;
}

export async function configVersion(db: Db, tenantId: string): Promise<number> {
  const { config_version } = await db
    .selectFrom('tenants')
    .select('config_version')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return config_version;
}

/** A device's inputs to the current or a past cascade. */
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

import type { Db } from '../storage/open.ts';
import type { LayerKey } from './change-layer.ts';
import type { PreviewDevice } from './preview-change.ts';

/**
 * Lists the devices in the scope of a layer that are not revoked. Layers of apps do not affect any
 * device yet.
 */
export async function listPreviewDevices(
  db: Db,
  tenantId: string,
  { layer, scope }: LayerKey,
): Promise<PreviewDevice[]> {
  if (layer === 'app_type' || layer === 'agent') return [];
  let devices = db
    .selectFrom('devices')
    .innerJoin('api_keys', (join) =>
      join
        .onRef('api_keys.tenant_id', '=', 'devices.tenant_id')
        .onRef('api_keys.id', '=', 'devices.api_key_id'),
    )
    .select(['devices.id', 'devices.hostname', 'devices.user_group', 'api_keys.profile_hosts'])
    .where('devices.tenant_id', '=', tenantId)
    .where('devices.status', '!=', 'revoked');
  if (layer === 'user_group') devices = devices.where('devices.user_group', '=', scope);
  if (layer === 'device') devices = devices.where('devices.id', '=', scope);
  const rows = await devices.orderBy('devices.hostname').orderBy('devices.id').execute();
  return rows.map(({ profile_hosts, ...device }) => ({
    ...device,
    profileHosts: JSON.parse(profile_hosts ?? '[]') as string[],
  }));
}

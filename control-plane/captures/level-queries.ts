import { programKinds } from '#contract/inventory.ts';
import type { Db } from '../storage/open.ts';

/**
 * The maximum numbers of captures and flows that are examined per device, which may have any
 * number.
 */
const LATEST_CAPTURES = 500;
const LATEST_FLOWS = 1000;

/** Lists the catalog programs that the latest scan found, without the extensions they load. */
export async function listCatalogIds(db: Db, tenantId: string, deviceId: string) {
  const rows = await db
    .selectFrom('apps')
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.tenant_id', '=', 'apps.tenant_id')
        .onRef('devices.id', '=', 'apps.device_id')
        .onRef('devices.scanned_at', '=', 'apps.last_seen'),
    )
    .select('apps.catalog_id')
    .distinct()
    .where('apps.tenant_id', '=', tenantId)
    .where('apps.device_id', '=', deviceId)
    .where('apps.kind', 'in', programKinds)
    .where('apps.catalog_id', 'is not', null)
    .orderBy('apps.catalog_id')
    .execute();
  return rows.map(({ catalog_id }) => catalog_id ?? '');
}

/** Lists which of the latest exchanges of a device had a body, without reading the bodies. */
export async function listExchangesWithBodies(db: Db, tenantId: string, deviceId: string) {
  const latest = await db
    .selectFrom('captures')
    .select(['app_id', 'process', 'host', 'started_at'])
    .select((eb) =>
      eb
        .case()
        .when(eb.or([eb('request_body', 'is not', null), eb('response_body', 'is not', null)]))
        .then(1)
        .else(0)
        .end()
        .as('has_body'),
    )
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LATEST_CAPTURES)
    .execute();
  return latest.filter(({ has_body }) => has_body === 1);
}

/** Lists the hosts to which the apps of a device recently connected. */
export async function listContactedHosts(db: Db, tenantId: string, deviceId: string) {
  const latest = db
    .selectFrom('flows')
    .select(['app_id', 'host'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LATEST_FLOWS);
  const rows = await db
    .selectFrom(latest.as('latest'))
    .select(['app_id', 'host'])
    .distinct()
    .where('app_id', 'is not', null)
    .where('host', 'is not', null)
    .execute();
  return rows.map(({ app_id, host }) => ({ app_id: app_id ?? '', host: host ?? '' }));
}

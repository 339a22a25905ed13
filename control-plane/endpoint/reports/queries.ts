import type { Insertable } from 'kysely';
import type { AppReport, FlowReport } from '#contract/fleet.ts';
import type { Db } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';

interface DeviceKey {
  tenantId: string;
  deviceId: string;
}

// A batch comes again when its answer was lost: soon, or else flows and apps are upserted anyway.
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;
const FORGOTTEN_AT_ONCE = 100;

/** False when this batch was taken before: then nothing of it may be stored again. */
export async function claimBatch(
  db: Db,
  { tenantId, deviceId }: DeviceKey,
  batchId: string,
  now: number,
): Promise<boolean> {
  const claimed = await db
    .insertInto('device_batches')
    .values({ tenant_id: tenantId, device_id: deviceId, batch_id: batchId, received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('batch_id')
    .executeTakeFirst();
  if (!claimed) return false;
  await forgetBatches(db, { tenantId, deviceId }, now - REMEMBERED_MS);
  return true;
}

/** Of this device only, so that devices that report at the same time never wait for each other. */
async function forgetBatches(
  db: Db,
  { tenantId, deviceId }: DeviceKey,
  before: number,
): Promise<void> {
  const ofDevice = { tenant_id: tenantId, device_id: deviceId };
  await db
    .deleteFrom('device_batches')
    .where((eb) => eb.and(ofDevice))
    .where('batch_id', 'in', (eb) =>
      eb
        .selectFrom('device_batches')
        .select('batch_id')
        .where((of) => of.and(ofDevice))
        .where('received_at', '<', before)
        .orderBy('received_at')
        .limit(FORGOTTEN_AT_ONCE),
    )
    .execute();
}

/** Every request of a device is a sign of life. */
export async function touchDevice(
  db: Db,
  { tenantId, deviceId }: DeviceKey,
  seen: Partial<Insertable<Tables['devices']>> & { last_seen: number },
): Promise<void> {
  await db
    .updateTable('devices')
    .set(seen)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', deviceId)
    .execute();
}

/** Reports of one flow may come late or in any order: the latest word on each field stays. */
export async function upsertFlow(db: Db, device: DeviceKey, flow: FlowReport): Promise<void> {
  await db
    .insertInto('flows')
    .values({ tenant_id: device.tenantId, device_id: device.deviceId, ...flow })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'device_id', 'id']).doUpdateSet((eb) => {
        const larger = (column: 'bytes_in' | 'bytes_out') =>
          eb
            .case()
            .when(eb.ref(`flows.${column}`), '>', eb.ref(`excluded.${column}`))
            .then(eb.ref(`flows.${column}`))
            .else(eb.fn.coalesce(eb.ref(`excluded.${column}`), eb.ref(`flows.${column}`)))
            .end();
        const known = <C extends 'app_id' | 'process' | 'path' | 'pid' | 'user' | 'host'>(
          column: C,
        ) => eb.fn.coalesce(eb.ref(`flows.${column}`), eb.ref(`excluded.${column}`));
        return {
          app_id: known('app_id'),
          process: known('process'),
          path: known('path'),
          pid: known('pid'),
          user: known('user'),
          host: known('host'),
          ended_at: eb.fn.coalesce(eb.ref('flows.ended_at'), eb.ref('excluded.ended_at')),
          bytes_in: larger('bytes_in'),
          bytes_out: larger('bytes_out'),
        };
      }),
    )
    .execute();
}

/** An app that was seen before keeps its id and its first sight. */
export async function upsertApp(
  db: Db,
  device: DeviceKey,
  app: AppReport & { id: string },
  now: number,
): Promise<void> {
  const described = {
    catalog_id: app.catalog_id,
    version: app.version,
    confidence: app.confidence,
    evidence: JSON.stringify(app.evidence),
    risk_flags: JSON.stringify(app.risk_flags),
    last_seen: now,
  };
  await db
    .insertInto('apps')
    .values({
      tenant_id: device.tenantId,
      device_id: device.deviceId,
      id: app.id,
      kind: app.kind,
      name: app.name,
      path: app.path,
      user: app.user,
      first_seen: now,
      ...described,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet(described))
    .execute();
}

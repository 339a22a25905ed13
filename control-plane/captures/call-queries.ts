import type { DeviceCaller } from '../http/caller.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';

/** The attribution of runs captured on a device. */
export interface DeviceAttribution {
  hostname: string;
  user: string;
  user_group: string | null;
}

export const findDeviceAttribution = (
  db: Db,
  { tenantId, deviceId }: DeviceCaller,
): Promise<DeviceAttribution> =>
  db
    .selectFrom('devices')
    .select(['hostname', 'user', 'user_group'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow();

/**
 * Returns those of these captures that have a run. A run outlives its capture, which may be sent
 * again.
 */
export async function findRecordedCaptures(
  tx: Tx,
  tenantId: string,
  captureIds: readonly string[],
): Promise<Set<string>> {
  const where = { tenantId, by: 'capture_id', values: captureIds } as const;
  const rows = await tx.bulk.find('runs', ['capture_id'], where);
  return new Set(rows.flatMap(({ capture_id }) => capture_id ?? []));
}

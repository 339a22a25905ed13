import type { Db } from '../storage/open.ts';
import { endOfPause } from './rules.ts';

const MOST_PAUSES = 100;

/** Times for which the user of a device paused capture, latest first. */
export async function listPauses(db: Db, tenantId: string, deviceId: string) {
  const rows = await db
    .selectFrom('capture_pauses')
    .select(['id', 'user', 'started_at', 'minutes', 'ended_at', 'ended_by'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(MOST_PAUSES)
    .execute();
  return rows.map((row) => ({ ...row, ends_at: endOfPause(row) }));
}

/** Active pauses, by device. A pause whose end was not reported ends at its deadline. */
export async function currentPauses(
  db: Db,
  tenantId: string,
  deviceIds: readonly string[],
  now: number,
) {
  if (deviceIds.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('capture_pauses')
    .select(['device_id', 'user', 'started_at', 'minutes'])
    .where('tenant_id', '=', tenantId)
    .where('device_id', 'in', deviceIds)
    .where('ended_at', 'is', null)
    .orderBy('started_at')
    .execute();
  const lasting = rows
    .map((row) => ({ ...row, ends_at: endOfPause(row) }))
    .filter(({ ends_at }) => ends_at > now);
  return new Map(lasting.map((pause) => [pause.device_id, pause]));
}

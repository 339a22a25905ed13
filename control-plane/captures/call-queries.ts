import type { DeviceCaller } from '../http/caller.ts';
import type { Recording } from '../recording/queries.ts';
import type { Db } from '../storage/open.ts';

/** The device that reports captures, as runs name it. */
export interface Reporter {
  hostname: string;
  user: string;
  user_group: string | null;
}

export const findReporter = (db: Db, { tenantId, deviceId }: DeviceCaller): Promise<Reporter> =>
  db
    .selectFrom('devices')
    .select(['hostname', 'user', 'user_group'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow();

/** Which of these captures have a run: it stays when the capture is deleted, and may come again. */
export async function findRecorded(
  { trx, bulk }: Recording,
  tenantId: string,
  captureIds: readonly string[],
): Promise<Set<string>> {
  const where = { tenantId, by: 'capture_id', values: captureIds } as const;
  const rows = await bulk.find(trx, 'runs', ['capture_id'], where);
  return new Set(rows.flatMap(({ capture_id }) => capture_id ?? []));
}

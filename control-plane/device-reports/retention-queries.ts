import { noteDeleted } from '../inventory/queries.ts';
import type { Storage, Trx } from '../storage/open.ts';

interface Old {
  tenantId: string;
  cutoff: number;
  limit: number;
}

/** A capture can be a thousand times as large as any other row. */
const CAPTURES_IN_A_STEP = 20;

/**
 * Deletes reports that began, or were last seen, before `cutoff`: at most `limit` flows and apps
 * each, and all gaps and pauses. Returns the number of deleted rows.
 */
export const deleteReports = async (
  trx: Trx,
  storage: Pick<Storage, 'bulk'>,
  old: Old,
): Promise<number> =>
  (await deleteTimes(trx, old)) +
  (await deleteFlows(trx, old)) +
  (await deleteApps(trx, storage, old));

/**
 * Deletes some captures that began before `cutoff`. Returns how many, or `limit` if there may be
 * more.
 */
export async function deleteCaptures(trx: Trx, { bulk }: Storage, old: Old): Promise<number> {
  const { tenantId, cutoff, limit } = old;
  const captures = await trx
    .selectFrom('captures')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('started_at', '<', cutoff)
    .limit(CAPTURES_IN_A_STEP)
    .execute();
  await trx
    .deleteFrom('captures')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(captures.map(({ id }) => id)))
    .execute();
  return captures.length === CAPTURES_IN_A_STEP ? limit : captures.length;
}

async function deleteFlows(trx: Trx, { tenantId, cutoff, limit }: Old): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('flows')
    .where('tenant_id', '=', tenantId)
    .where((eb) =>
      eb(
        eb.refTuple('device_id', 'id'),
        'in',
        eb
          .selectFrom('flows as old')
          .select(['old.device_id', 'old.id'])
          .where('old.tenant_id', '=', tenantId)
          .where('old.started_at', '<', cutoff)
          .limit(limit)
          .$asTuple('device_id', 'id'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** All at once: a heartbeat reports at most 20 of each. */
async function deleteTimes(trx: Trx, { tenantId, cutoff }: Old): Promise<number> {
  let deleted = 0;
  for (const table of ['observation_gaps', 'capture_pauses'] as const) {
    const { numDeletedRows } = await trx
      .deleteFrom(table)
      .where('tenant_id', '=', tenantId)
      .where('started_at', '<', cutoff)
      .executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

/** An app not seen for this long was removed, or its device was. */
async function deleteApps(
  trx: Trx,
  { bulk }: Pick<Storage, 'bulk'>,
  { tenantId, cutoff, limit }: Old,
): Promise<number> {
  const old = await trx
    .selectFrom('apps')
    .select(['id', 'group_id', 'device_id'])
    .where('tenant_id', '=', tenantId)
    .where('last_seen', '<', cutoff)
    .limit(limit)
    .execute();
  await trx
    .deleteFrom('apps')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(old.map(({ id }) => id)))
    .execute();
  await noteDeleted({ trx, bulk }, tenantId, old);
  return old.length;
}

/** Deletes ids of batches that devices no longer retry. Returns how many. */
export async function deleteReportBatches(
  trx: Trx,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('device_batches')
    .where('tenant_id', '=', tenantId)
    .where((eb) =>
      eb(
        eb.refTuple('device_id', 'batch_id'),
        'in',
        eb
          .selectFrom('device_batches as old')
          .select(['old.device_id', 'old.batch_id'])
          .where('old.tenant_id', '=', tenantId)
          .where('old.received_at', '<', before)
          .limit(limit)
          .$asTuple('device_id', 'batch_id'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

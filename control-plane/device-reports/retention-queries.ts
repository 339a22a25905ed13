import { noteDeleted } from '../inventory/queries.ts';
import type { Storage, Trx } from '../storage/open.ts';

interface Old {
  tenantId: string;
  cutoff: number;
  most: number;
}

/** A capture may be a thousand times as large as any other row. */
const CAPTURES_IN_A_STEP = 20;

/**
 * Deletes at most `most` flows and apps each, and the times that were not observed or captured, of what
 * devices reported and what began, or was last seen, before `cutoff`. Answers how many went.
 */
export const deleteReports = async (
  trx: Trx,
  storage: Pick<Storage, 'bulk'>,
  old: Old,
): Promise<number> =>
  (await deleteTimes(trx, old)) +
  (await deleteFlows(trx, old)) +
  (await deleteApps(trx, storage, old));

/** Deletes some captures that began before `cutoff`. Answers how many went, or `most` when there may be more. */
export async function deleteCaptures(trx: Trx, { bulk }: Storage, old: Old): Promise<number> {
  const { tenantId, cutoff, most } = old;
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
  return captures.length === CAPTURES_IN_A_STEP ? most : captures.length;
}

async function deleteFlows(trx: Trx, { tenantId, cutoff, most }: Old): Promise<number> {
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
          .limit(most)
          .$asTuple('device_id', 'id'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** All at once: a device tells of 20 each in a heartbeat at most. */
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

/** An app that was not found for so long is gone, or its device is. */
async function deleteApps(
  trx: Trx,
  { bulk }: Pick<Storage, 'bulk'>,
  { tenantId, cutoff, most }: Old,
): Promise<number> {
  const old = await trx
    .selectFrom('apps')
    .select(['id', 'group_id', 'device_id'])
    .where('tenant_id', '=', tenantId)
    .where('last_seen', '<', cutoff)
    .limit(most)
    .execute();
  await trx
    .deleteFrom('apps')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(old.map(({ id }) => id)))
    .execute();
  await noteDeleted({ trx, bulk }, tenantId, old);
  return old.length;
}

/** Forgets ids of batches that no device sends again. Answers how many went. */
export async function deleteReportBatches(
  trx: Trx,
  tenantId: string,
  before: number,
  most: number,
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
          .limit(most)
          .$asTuple('device_id', 'batch_id'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

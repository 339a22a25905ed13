import type { Context } from '../context.ts';
import { deleteSlots } from '../memory/retention-queries.ts';
import { deleteUnusedStates } from '../policies/retention-queries.ts';
import {
  deleteBatchIds,
  deleteDeviceBatchIds,
  deleteOld,
  deleteOldCaptures,
  listRetentions,
} from './queries.ts';
import { listTenants } from '../tenants/queries.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { runEvery, repeatWithPauses } from '../lib/background-job.ts';

/** Longer than any window of a policy. */
const STATE_RETENTION_MS = 7 * DAY_MS;
/**
 * How long batch ids of devices are kept. A device sends a batch again if the response was lost,
 * and may have been offline in the meantime.
 */
const BATCH_ID_RETENTION_MS = 30 * DAY_MS;
const LOOK_EVERY_MS = 10 * 60_000;
/** Low enough that a step takes some milliseconds. */
const ROWS_PER_STEP = 250;
/**
 * The pause between steps, so that recording has the database most of the time even during large
 * deletions.
 */
const STEP_PAUSE_MS = 25;

/**
 * Deletes data beyond the tenants' retention, every ten minutes and when settings change. The
 * returned function stops the job, even in the middle.
 */
export function startRetentionJob(context: Context): () => Promise<void> {
  return runEvery((stopping) => applyRetention(context, stopping), {
    everyMs: LOOK_EVERY_MS,
    onError: (err) => context.log.error({ err }, 'deleting data beyond its retention failed'),
    trigger: (wake) =>
      context.storage.signals.subscribe(({ topic }) => {
        if (topic === 'settings') wake();
      }),
  });
}

async function applyRetention(context: Context, stopping: AbortSignal): Promise<void> {
  const { storage } = context;
  const batchIdCutoff = context.now() - DAY_MS;
  const deviceBatchIdCutoff = context.now() - BATCH_ID_RETENTION_MS;
  for (const tenantId of await listTenants(storage.db)) {
    await repeatUntilDone(stopping, () =>
      deleteBatchIds(storage, tenantId, batchIdCutoff, ROWS_PER_STEP),
    );
    await repeatUntilDone(stopping, () =>
      deleteDeviceBatchIds(storage, tenantId, deviceBatchIdCutoff, ROWS_PER_STEP),
    );
    await repeatUntilDone(stopping, () =>
      deleteSlots(
        storage,
        { tenantId, by: 'expires_at', before: context.now() + 1 },
        ROWS_PER_STEP,
      ),
    );
    await storage.transaction((tx) =>
      deleteUnusedStates(tx, tenantId, context.now() - STATE_RETENTION_MS),
    );
  }
  for (const { tenantId, days, captureDays } of await listRetentions(storage.db)) {
    if (captureDays !== null) {
      const cutoff = context.now() - captureDays * DAY_MS;
      await repeatUntilDone(stopping, () =>
        deleteOldCaptures(storage, tenantId, cutoff, ROWS_PER_STEP),
      );
    }
    if (days === null) continue;
    const cutoff = context.now() - days * DAY_MS;
    await repeatUntilDone(stopping, () => deleteOld(storage, tenantId, cutoff, ROWS_PER_STEP));
    const written = { tenantId, by: 'updated_at', before: cutoff } as const;
    await repeatUntilDone(stopping, () => deleteSlots(storage, written, ROWS_PER_STEP));
  }
}

/** Repeats a step until it deletes less than its limit. */
const repeatUntilDone = (stopping: AbortSignal, step: () => Promise<number>): Promise<void> =>
  repeatWithPauses(async () => (await step()) >= ROWS_PER_STEP, STEP_PAUSE_MS, stopping);

import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { runEvery } from '../../lib/background-job.ts';
import { sleep } from '../../lib/sleep.ts';
import { UnreadableEntry } from './file.ts';
import {
  changeExport,
  claimExport,
  deleteChunks,
  deleteExport,
  type Export,
  findOutdated,
} from './export-queries.ts';
import { LEASE_MS, writeExport } from './write-export.ts';

/** How long a file is there after it was asked for. */
export const KEPT_MS = 24 * 3_600_000;

/** Another process may have taken the request, or have died of it: nobody tells, so we look. */
const LOOK_EVERY_MS = 1000;
const CHUNKS_PER_STEP = 50;
const REST_MS = 25;

/**
 * Writes the files that were asked for, in whichever process, and deletes those of yesterday. The
 * answered function ends it, in the middle if need be: this or another process then goes on.
 */
export function keepExports(context: Context): () => Promise<void> {
  const owner = randomUUID();
  return runEvery(
    async (stopping) => {
      await writeAll(context, owner, stopping);
      await deleteOutdated(context, stopping);
    },
    {
      everyMs: LOOK_EVERY_MS,
      onError: (err) => context.log.error({ err }, 'exporting the log failed'),
    },
  );
}

async function writeAll(context: Context, owner: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = context.now();
    const lease = { lease_owner: owner, lease_until: now + LEASE_MS };
    const job = await claimExport(context.storage.db, lease, now);
    if (!job) return;
    await writeExport(context, job, signal).catch((error: unknown) => fail(context, job, error));
  }
}

/** When the database does not answer, the lease ends and somebody goes on. */
async function fail(context: Context, job: Export, error: unknown): Promise<void> {
  if (context.storage.isUnavailable(error)) throw error;
  context.log.error({ err: error }, `export ${job.id} of the audit log failed`);
  await changeExport(context.storage.db, job, {
    status: 'failed',
    error: error instanceof UnreadableEntry ? error.message : 'internal error: see the log',
    completed_at: context.now(),
  });
}

/** In steps of some milliseconds. */
async function deleteOutdated(context: Context, signal: AbortSignal): Promise<void> {
  const { db } = context.storage;
  for (;;) {
    const job = await findOutdated(db, context.now() - KEPT_MS);
    if (!job || signal.aborted) return;
    let left = job.chunk_count;
    while (left > 0 && !signal.aborted) {
      left = await deleteChunks(db, { ...job, chunk_count: left }, CHUNKS_PER_STEP);
      await sleep(REST_MS, signal);
    }
    if (left === 0) await deleteExport(db, job);
  }
}

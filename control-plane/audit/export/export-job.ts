import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { runEvery, sleep } from '../../lib/background-job.ts';
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

/** The time for which a file remains available after the request. */
export const EXPORT_LIFETIME_MS = 24 * 3_600_000;

/**
 * The job polls, because another process may have accepted the request, or may have crashed while
 * working on it.
 */
const LOOK_EVERY_MS = 1000;
const CHUNKS_PER_STEP = 50;
const STEP_PAUSE_MS = 25;

/**
 * Writes requested exports, whichever process accepted them, and deletes files older than a day.
 * The returned function stops the job, even in the middle of a file, which this or another process
 * resumes later.
 */
export function startExportJob(context: Context): () => Promise<void> {
  const owner = randomUUID();
  return runEvery(
    async (stopping) => {
      await writeAll(context, owner, stopping);
      await deleteOutdated(context, stopping);
    },
    {
      everyMs: LOOK_EVERY_MS,
      onError: (err) => context.log.error({ err }, 'the export job failed'),
    },
  );
}

async function writeAll(context: Context, owner: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = context.now();
    const lease = { lease_owner: owner, lease_until: now + LEASE_MS };
    const job = await context.storage.transaction((tx) => claimExport(tx, lease, now));
    if (!job) return;
    await writeExport(context, job, signal).catch((error: unknown) => fail(context, job, error));
  }
}

/**
 * Marks an export as failed. If the database is unavailable, the lease expires and another process
 * continues instead.
 */
async function fail(context: Context, job: Export, error: unknown): Promise<void> {
  if (context.storage.isUnavailable(error)) throw error;
  context.log.error({ err: error }, `audit log export ${job.id} failed`);
  const failure = {
    status: 'failed',
    error: error instanceof UnreadableEntry ? error.message : 'internal error: see the log',
    completed_at: context.now(),
  } as const;
  await context.storage.transaction((tx) => changeExport(tx, job, failure));
}

/** Deletes outdated files, in steps of some milliseconds. */
async function deleteOutdated(context: Context, signal: AbortSignal): Promise<void> {
  const { db, transaction } = context.storage;
  for (;;) {
    const job = await findOutdated(db, context.now() - EXPORT_LIFETIME_MS);
    if (!job || signal.aborted) return;
    let remaining = job.chunk_count;
    while (remaining > 0 && !signal.aborted) {
      const rest = { ...job, chunk_count: remaining };
      remaining = await transaction((tx) => deleteChunks(tx, rest, CHUNKS_PER_STEP));
      await sleep(STEP_PAUSE_MS, signal);
    }
    if (remaining === 0) await deleteExport(context.storage, job);
  }
}

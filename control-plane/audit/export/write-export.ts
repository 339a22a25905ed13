import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import { fileFormats } from './file.ts';
import { addChunk, changeExport, type Export, listNext } from './export-queries.ts';

const compress = promisify(gzip);

/** Low enough that a chunk takes some milliseconds and fits into memory. */
const ENTRIES_PER_CHUNK = 1000;

/**
 * The time after which a process that has not renewed its lease is considered dead. Writing a chunk
 * takes a thousandth of it.
 */
export const LEASE_MS = 10_000;

/**
 * Writes the file of an export chunk by chunk, continuing where it stopped. Each chunk is stored
 * together with the position it reaches, so that a process that takes over neither skips nor
 * repeats entries.
 */
export async function writeExport(
  context: Context,
  claimed: Export,
  stopping: AbortSignal,
): Promise<void> {
  let job = claimed;
  while (!stopping.aborted && job.status === 'processing') {
    const began = performance.now();
    const next = await writeChunk(context, job);
    if (!next) return;
    job = next;
    // Exports work at most half of the time, to leave capacity for requests.
    await pause(performance.now() - began, undefined, { ref: false });
  }
  // The lease is released, so that another process can continue at once.
  if (job.status === 'processing')
    await context.storage.transaction((tx) => changeExport(tx, job, { lease_until: 0 }));
}

/** Writes a chunk; returns undefined if another process has taken over the export. */
async function writeChunk(context: Context, job: Export): Promise<Export | undefined> {
  const { storage } = context;
  const position = Math.min(job.position + ENTRIES_PER_CHUNK, job.last_sequence);
  const isLast = position === job.last_sequence;
  const entries = await listNext(storage.reader, job, position);
  const { write } = fileFormats[job.format];
  const isEmpty = entries.length === 0 && !isLast;
  const text = isEmpty ? '' : write(entries, { isFirst: job.chunk_count === 0, isLast });
  const bytes = Buffer.from(text);
  const now = context.now();
  const after: Export = {
    ...job,
    ...(isLast && { status: 'completed', completed_at: now }),
    position,
    lease_until: now + LEASE_MS,
    chunk_count: job.chunk_count + (text ? 1 : 0),
    entry_count: job.entry_count + entries.length,
    byte_count: job.byte_count + bytes.length,
  };
  const content = text ? await compress(bytes) : null;
  return (await addChunk(storage, job, after, content)) ? after : undefined;
}

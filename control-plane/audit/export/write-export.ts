import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import { fileFormats } from './file.ts';
import { addChunk, changeExport, type Export, listNext } from './export-queries.ts';

const compress = promisify(gzip);

/** Few enough that a piece takes some milliseconds, and that all of it fits into memory. */
const ENTRIES_PER_CHUNK = 1000;

/** Whoever is silent for so long has ended without a word; a piece takes a thousandth of it. */
export const LEASE_MS = 10_000;

/**
 * Writes the file of an export from where it was left, piece by piece: each is stored together
 * with how far it goes, so that whoever goes on leaves nothing out and writes nothing twice.
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
    // At most half of the time: the rest is for others.
    await pause(performance.now() - began, undefined, { ref: false });
  }
  // Nobody has to wait until the lease ends.
  if (job.status === 'processing') await changeExport(context.storage.db, job, { lease_until: 0 });
}

/** Undefined when somebody else has taken the export over. */
async function writeChunk(context: Context, job: Export): Promise<Export | undefined> {
  const { storage } = context;
  const position = Math.min(job.position + ENTRIES_PER_CHUNK, job.last_sequence);
  const isLast = position === job.last_sequence;
  const entries = await listNext(storage.reader, job, position);
  const { write } = fileFormats[job.format];
  const nothing = entries.length === 0 && !isLast;
  const text = nothing ? '' : write(entries, { isFirst: job.chunk_count === 0, isLast });
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

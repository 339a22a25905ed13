import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { semaphore } from '../../lib/semaphore.ts';
import type { Db } from '../../storage/open.ts';
import { type Export, findChunk } from './export-queries.ts';

const decompress = promisify(gunzip);
/**
 * Limits reading to one chunk at a time, however many downloads there are, because Node's thread
 * pool has other users.
 */
const oneAtATime = semaphore(1);

/** Yields the file of a completed export, chunk by chunk. */
export async function* readChunks(reader: Db, job: Export): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < job.chunk_count; number += 1) {
    const chunk = await findChunk(reader, job, number);
    if (!chunk) throw new Error(`export ${job.id}: chunk ${number} is missing`);
    yield await oneAtATime(() => decompress(chunk));
  }
}

import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateSync,
} from 'node:zlib';
import { semaphore } from '../lib/semaphore.ts';

const KB = 1024;

/** Sizes that take this thread a millisecond or two; most bodies are far smaller. */
const SMALL = { compressed: 128 * KB, bytes: 1024 * KB };

/**
 * Two of Node's four pool threads, which also read files and resolve names. Synchronous
 * decompression has an output limit too, since a few kilobytes can expand to the ten megabytes of
 * the limit.
 */
const inPool = semaphore(2);

const zipped = { now: gunzipSync, later: promisify(gunzip) };
const methods = {
  gzip: zipped,
  'x-gzip': zipped,
  deflate: { now: inflateSync, later: promisify(inflate) },
  br: { now: brotliDecompressSync, later: promisify(brotliDecompress) },
} as const;

export type Encoding = keyof typeof methods;

export const isEncoding = (text: string): text is Encoding => Object.hasOwn(methods, text);

/**
 * Decompresses small bodies synchronously, which is faster than handing them over, and large ones
 * in Node's thread pool, a few at a time.
 *
 * @throws Error with the code `ERR_BUFFER_TOO_LARGE` above the limit, or with the decoding error
 */
export async function decompress(
  content: Buffer,
  encoding: Encoding,
  limit: number,
): Promise<Buffer> {
  const { now, later } = methods[encoding];
  if (content.length <= SMALL.compressed)
    try {
      return now(content, { maxOutputLength: Math.min(SMALL.bytes, limit) });
    } catch (error) {
      if (!isTooLarge(error) || limit <= SMALL.bytes) throw error;
    }
  return inPool(() => later(content, { maxOutputLength: limit, chunkSize: SMALL.bytes }));
}

export const isTooLarge = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';

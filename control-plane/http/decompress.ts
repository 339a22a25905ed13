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

/**
 * The size up to which bodies are decompressed synchronously, which takes a millisecond or two.
 * Most are far smaller.
 */
const SMALL = { compressed: 128 * KB, decompressed: 1024 * KB };

/**
 * Limits use of Node's thread pool to two of its four threads, because it also reads files and
 * resolves names.
 */
const inPool = semaphore(2);

const gzip = { decodeSync: gunzipSync, decode: promisify(gunzip) };
const decoders = {
  gzip,
  'x-gzip': gzip,
  deflate: { decodeSync: inflateSync, decode: promisify(inflate) },
  br: { decodeSync: brotliDecompressSync, decode: promisify(brotliDecompress) },
} as const;

export type Encoding = keyof typeof decoders;

export const isEncoding = (text: string): text is Encoding => Object.hasOwn(decoders, text);

/**
 * Decompresses small bodies synchronously, which is faster than in a thread, and large ones in
 * Node's thread pool. A body that expands beyond the small size, which a few kilobytes can do, is
 * decompressed again in the pool.
 *
 * @throws Error with the code `ERR_BUFFER_TOO_LARGE` above the limit, or with the decoding error
 */
export async function decompress(
  content: Buffer,
  encoding: Encoding,
  limit: number,
): Promise<Buffer> {
  const { decodeSync, decode } = decoders[encoding];
  if (content.length <= SMALL.compressed)
    try {
      return decodeSync(content, { maxOutputLength: Math.min(SMALL.decompressed, limit) });
    } catch (error) {
      if (!isTooLarge(error) || limit <= SMALL.decompressed) throw error;
    }
  return inPool(() => decode(content, { maxOutputLength: limit, chunkSize: SMALL.decompressed }));
}

export const isTooLarge = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';

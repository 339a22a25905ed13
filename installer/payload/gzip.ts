import { createGzip, gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { scriptEntries } from '../product/layout.ts';
import { packEntries } from './pack-entries.ts';

const OS_BYTE = 9;
const UNIX = 3;
/** The default level of `gzip`. */
const LEVEL = 6;

/** Compresses with a header that omits the time and the system. */
export function gzipBytes(bytes: Uint8Array): Buffer {
  const compressed = gzipSync(bytes, { level: LEVEL });
  compressed[OS_BYTE] = UNIX;
  return compressed;
}

/** Creates the compressor of a stream. `normalizeHeader` gives its output the same header. */
export const gzipStream = () => createGzip({ level: LEVEL, chunkSize: 1 << 18 });

export async function* normalizeHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of chunks) {
    // zlib writes its header in one piece, never split over two chunks.
    if (first) chunk[OS_BYTE] = UNIX;
    first = false;
    yield chunk;
  }
}

/** Packs the Scripts archive of a component. `mtime` is in seconds. */
export const packScripts = async (
  scripts: Readonly<Record<string, string>>,
  mtime: number,
): Promise<Buffer> =>
  gzipBytes(await buffer(packEntries(scriptEntries(scripts, mtime), new Map())));

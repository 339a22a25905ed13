import { createGzip, gzipSync } from 'node:zlib';

const OS_BYTE = 9;
const UNIX = 3;
/** As `gzip` does unless told otherwise. */
const LEVEL = 6;

/** Compresses; the header does not tell on which system, and has no time. */
export function gzipBytes(bytes: Uint8Array): Buffer {
  const compressed = gzipSync(bytes, { level: LEVEL });
  compressed[OS_BYTE] = UNIX;
  return compressed;
}

/** The same for a stream: what compresses, and what follows it. */
export const gzipStream = () => createGzip({ level: LEVEL, chunkSize: 1 << 18 });

export async function* normalizeHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of chunks) {
    // zlib writes its header at once: it is never spread over two chunks.
    if (first) chunk[OS_BYTE] = UNIX;
    first = false;
    yield chunk;
  }
}

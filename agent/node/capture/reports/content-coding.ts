import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

export interface DecodedContent {
  bytes: Uint8Array;
  /** Whether the content is incomplete: truncated, damaged, or longer than requested. */
  truncated: boolean;
}

/**
 * The maximum number of codings of one body. Real servers apply no more; each costs a full pass.
 */
const MAX_CODINGS = 3;

// Large chunks need few turns of the event loop for the megabytes of a capture.
const CHUNK = { chunkSize: 64 * 1024 };

/** RFC 9659, section 3: a decoder of web content need not support windows over 8 MiB. */
const ZSTD_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const gunzip = (): Transform => createGunzip(CHUNK);

type CreateDecoder = (bytes: Uint8Array) => Transform;

const decoders: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', (bytes) => (hasZlibHeader(bytes) ? createInflate(CHUNK) : createInflateRaw(CHUNK))],
  ['br', () => createBrotliDecompress(CHUNK)],
  ['zstd', () => createZstdDecompress({ ...CHUNK, ...ZSTD_WINDOW })],
]);

/**
 * Returns the first bytes of a body without its content codings (RFC 9110, section 8.4); of a
 * truncated copy, as many as can be decoded. Returns null for an unknown coding, and for bytes that
 * do not match the coding, unless they are text: a receiver that ignores the header reads it as it
 * is. The work runs in Node's thread pool.
 */
export async function decodeContent(
  bytes: Uint8Array,
  contentEncoding: string | null | undefined,
  maxBytes: number,
): Promise<DecodedContent | null> {
  const decoded = await withoutCodings(bytes, contentEncoding, maxBytes);
  // DEFLATE and Brotli have no signature: the start of a text may be decoded to a few bytes.
  const isDamaged = decoded === null || decoded.truncated;
  return isDamaged && isText(bytes) ? truncate({ bytes, truncated: false }, maxBytes) : decoded;
}

/** Whether the bytes are UTF-8 without zeros; the last character may be cut off. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

async function withoutCodings(
  bytes: Uint8Array,
  contentEncoding: string | null | undefined,
  maxBytes: number,
): Promise<DecodedContent | null> {
  const codings = codingsOf(contentEncoding);
  if (codings.length > MAX_CODINGS) return null;
  let decoded = truncate({ bytes, truncated: false }, codings.length > 0 ? Infinity : maxBytes);
  // The last coding in the list was applied last.
  for (const coding of codings.reverse()) {
    const createDecoder = decoders.get(coding);
    if (!createDecoder) return null;
    if (decoded.bytes.length === 0) return decoded;
    const result = await decodeAll(createDecoder, decoded.bytes, maxBytes);
    if (result.bytes.length === 0 && result.truncated) return null;
    decoded = { bytes: result.bytes, truncated: result.truncated || decoded.truncated };
  }
  return decoded;
}

/**
 * Decodes all that a tolerant receiver decodes, such as a browser: it ignores what follows gzip data,
 * or a wrong checksum, for which Node discards the last part of the data.
 */
async function decodeAll(
  createDecoder: CreateDecoder,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<DecodedContent> {
  const result = await decode(createDecoder(bytes), bytes, maxBytes);
  if (createDecoder !== gunzip || !result.truncated || result.bytes.length >= maxBytes)
    return result;
  const deflated = bytes.subarray(gzipHeaderLength(bytes));
  const rest = await decode(createInflateRaw(CHUNK), deflated, maxBytes);
  return rest.bytes.length > result.bytes.length ? { ...rest, truncated: true } : result;
}

/** The length of the header of gzip data (RFC 1952, 2.3). */
function gzipHeaderLength(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0;
  let length = 10;
  if (flags & 4) length += 2 + (bytes[length] ?? 0) + 256 * (bytes[length + 1] ?? 0);
  // The name and the comment end with a zero.
  for (const flag of [8, 16])
    if (flags & flag) length = bytes.indexOf(0, length) + 1 || bytes.length;
  return flags & 2 ? length + 2 : length;
}

function codingsOf(contentEncoding: string | null | undefined): string[] {
  const codings = (contentEncoding ?? '').toLowerCase().split(',');
  return codings
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Some servers label raw DEFLATE data as `deflate`, although RFC 9110, section 8.4.1.2 requires the
 * zlib format (RFC 1950).
 */
const hasZlibHeader = (bytes: Uint8Array): boolean =>
  ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;

function decode(decoder: Transform, bytes: Uint8Array, maxBytes: number): Promise<DecodedContent> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (truncated: boolean): void => {
      decoder.destroy();
      resolve(truncate({ bytes: Buffer.concat(chunks), truncated }, maxBytes));
    };
    decoder.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) finish(true);
    });
    decoder.on('error', () => finish(true));
    decoder.on('end', () => finish(false));
    // Ends the decoder only after all output was delivered: truncated data then causes an error,
    // but its decoded part is not lost.
    decoder.write(bytes, () => decoder.end());
  });
}

const truncate = ({ bytes, truncated }: DecodedContent, maxBytes: number): DecodedContent =>
  bytes.length > maxBytes
    ? { bytes: bytes.subarray(0, maxBytes), truncated: true }
    : { bytes, truncated };

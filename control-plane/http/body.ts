import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '#contract/errors.ts';
import { findUnstorable } from './storable.ts';

const LIMIT_MB = 10;
const LIMIT = LIMIT_MB * 1024 * 1024;

const decompress = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** A JSON body; nothing at all counts as `{}`, whose missing fields are then named. @throws ApiError */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new ApiError('bad_request', 'the body is not UTF-8');
  const text = bytes.toString();
  const value = parse(text);
  // A JSON text in UTF-8 has NUL and half a surrogate pair only as escapes.
  const unstorable = findUnstorable(value, 'body', text.includes('\\u') ? 'any' : 'fine');
  if (unstorable) throw new ApiError('validation_error', unstorable);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError('bad_request', `the body is not JSON: ${(error as Error).message}`);
  }
}

/** The whole body, decompressed, of at most 10 MB. @throws ApiError */
export function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length']) > LIMIT) return Promise.reject(tooLarge());
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return collect(request, request);
  if (!Object.hasOwn(decompress, encoding))
    return Promise.reject(
      new ApiError(
        'unsupported_media_type',
        `the body is encoded as ${JSON.stringify(encoding)}: expected gzip, deflate or br`,
      ),
    );
  return collect(request, request.pipe(decompress[encoding as keyof typeof decompress]()));
}

function collect(request: IncomingMessage, from: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (error: ApiError): void => {
      // What is still to come is not kept; the answer goes out meanwhile.
      from.removeAllListeners('data');
      request.unpipe();
      request.resume();
      reject(error);
    };
    from.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > LIMIT) refuse(tooLarge());
      else chunks.push(chunk);
    });
    from.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    );
    from.on('error', (error) => refuse(unreadable(error.message)));
    request.on('close', () => {
      if (!request.complete) reject(unreadable('the connection was closed before its end'));
    });
  });
}

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', `the body is larger than ${LIMIT_MB}mb`);

const unreadable = (reason: string): ApiError =>
  new ApiError('bad_request', `the body could not be read: ${reason}`);

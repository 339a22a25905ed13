import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { decompress, isEncoding, isTooLarge } from './decompress.ts';
import { findUnstorable } from './storable.ts';

const KB = 1024;
const LIMIT = 10 * 1024 * KB;

/** The limit for anonymous callers, who only send an email and a password. */
export const ANONYMOUS_BODY_LIMIT = 64 * KB;

/**
 * Reads a JSON body. An empty body counts as `{}`, so that missing fields are reported by name.
 *
 * @throws ApiError
 */
export async function readJson(request: IncomingMessage, limit = LIMIT): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new ApiError('validation_error', 'the body is not valid UTF-8');
  const text = bytes.toString();
  const value = parse(text);
  // In JSON text, which is UTF-8, NUL and lone surrogates can only be escapes.
  const unstorable = findUnstorable(value, 'body', text.includes('\\u'));
  if (unstorable) throw new ApiError('validation_error', unstorable);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError(
      'validation_error',
      `the body is not valid JSON: ${(error as Error).message}`,
    );
  }
}

/**
 * Reads the decompressed body, by default at most 10 MB.
 *
 * @throws ApiError
 */
export async function readBytes(request: IncomingMessage, limit = LIMIT): Promise<Buffer> {
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return collect(request, limit);
  if (!isEncoding(encoding))
    throw new ApiError(
      'unsupported_media_type',
      `unsupported content encoding ${JSON.stringify(encoding)}: expected gzip, deflate or br`,
    );
  const content = await collect(request, limit);
  if (content.length === 0) return content;
  try {
    return await decompress(content, encoding, limit);
  } catch (error) {
    throw isTooLarge(error) ? tooLarge(limit) : unreadable((error as Error).message);
  }
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (error: ApiError): void => {
      // This discards the remaining body while the response is sent.
      request.removeAllListeners('data');
      request.resume();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) refuse(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    );
    request.on('error', (error) => refuse(unreadable(error.message)));
    request.on('close', () => {
      if (!request.complete)
        reject(unreadable('the connection was closed before the end of the body'));
    });
  });
}

const tooLarge = (limit: number): ApiError =>
  new ApiError(
    'payload_too_large',
    `the body is larger than ${limit < LIMIT ? `${limit / KB}kb` : '10mb'}`,
  );

const unreadable = (reason: string): ApiError =>
  new ApiError('validation_error', `the body could not be read: ${reason}`);

import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { readBytes } from './body.ts';

/** A body that may be other than JSON: its decompressed bytes and media type. */
export interface Content {
  type: string;
  bytes: Uint8Array;
}

const ENCODINGS = ['identity', 'gzip'];

/**
 * Reads a body of one of these media types, plain or compressed with gzip.
 *
 * @throws ApiError
 */
export async function readContent(
  request: IncomingMessage,
  types: readonly string[],
): Promise<Content> {
  const type = mediaTypeOf(request);
  if (!types.includes(type))
    throw new ApiError('unsupported_media_type', `the body must be ${types.join(' or ')}`);
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (!ENCODINGS.includes(encoding))
    throw new ApiError('unsupported_media_type', 'the body must be uncompressed or gzip');
  return { type, bytes: await readBytes(request) };
}

/** Returns the media type of a request's body, without parameters. */
export const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();

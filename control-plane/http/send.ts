import { acceptsEncoding } from './accepted-encodings.ts';
import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { writeHead } from './head.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The minimum size for compression. Shorter responses, such as all those to recording requests, are
 * not compressed.
 */
const MIN_COMPRESSED_BYTES = 8 * 1024;
/** This level takes half the time of the default, and the result is a few percent longer. */
const GZIP = { level: 4 };

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  sendBytes(response, status, JSON.stringify(value), JSON_TYPE);

/** Sends a response. Without `type`, its `Content-Type` is unchanged. */
export function sendBytes(
  response: ServerResponse,
  status: number,
  content: string | Uint8Array,
  type?: string,
): void {
  if (type && content.length >= MIN_COMPRESSED_BYTES && isCompressible(response))
    sendCompressed(response, status, content, type);
  else sendPlain(response, status, content, type);
}

function sendPlain(
  response: ServerResponse,
  status: number,
  content: string | Uint8Array,
  type?: string,
): void {
  const fields = { 'Content-Length': Buffer.byteLength(content) };
  writeHead(response, status, type ? { ...fields, 'Content-Type': type } : fields).end(content);
}

/**
 * Whether a response may be compressed. One with an entity tag may not, because the tag identifies
 * its exact bytes.
 */
const isCompressible = (response: ServerResponse): boolean =>
  acceptsEncoding(response.req, 'gzip') && !response.hasHeader('ETag');

/** Compresses in a thread of libuv, so that other requests are served in the meantime. */
function sendCompressed(
  response: ServerResponse,
  status: number,
  content: string | Uint8Array,
  type: string,
): void {
  // Metrics and the log read the status before the head is written.
  response.statusCode = status;
  gzip(content, GZIP, (error, compressed) => {
    if (response.destroyed) return;
    if (error) return sendPlain(response, status, content, type);
    const fields = {
      'Content-Type': type,
      'Content-Encoding': 'gzip',
      'Content-Length': compressed.length,
      Vary: 'Accept-Encoding',
    };
    writeHead(response, status, fields).end(compressed);
  });
}

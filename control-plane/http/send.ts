import { acceptsEncoding } from './accepted-encodings.ts';
import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { writeHead } from './head.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Responses to recording are shorter: they are never compressed, and pay one comparison. */
const WORTH_COMPRESSING = 8 * 1024;
/** Half the time of the default level, for a result a few percent longer. */
const GZIP = { level: 4 };

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  sendBytes(response, status, JSON.stringify(value), JSON_TYPE);

/** Without a type, the one set before is kept. */
export function sendBytes(
  response: ServerResponse,
  status: number,
  content: string | Uint8Array,
  type?: string,
): void {
  if (type && content.length >= WORTH_COMPRESSING && isCompressible(response))
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

/** An entity tag names the bytes, and those of the compressed form are others. */
const isCompressible = (response: ServerResponse): boolean =>
  acceptsEncoding(response.req, 'gzip') && !response.hasHeader('ETag');

/** Compresses in a thread of libuv's, so that other requests are served meanwhile. */
function sendCompressed(
  response: ServerResponse,
  status: number,
  content: string | Uint8Array,
  type: string,
): void {
  // Metrics and the log read it before the head is written.
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

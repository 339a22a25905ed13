import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from '#contract/route.ts';
import { writeHead } from './head.ts';

/**
 * Returns the `Content-Disposition` of a download. A name that is not ASCII is sent twice (RFC
 * 6266): as an ASCII approximation for old clients, and in full.
 */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, percent);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${whole}`}`;
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Sends 304 for null, and otherwise a file chunk by chunk with backpressure. If the chunks end
 * early, the connection is closed before the announced length or the last chunk of the transfer
 * encoding, so that the client detects it. If the client disconnects, no further chunk is read.
 */
export async function sendDownload(response: ServerResponse, file: Download | null): Promise<void> {
  if (!file) return void writeHead(response, 304).end();
  writeHead(response, 200, {
    'Content-Type': isText(file.type) ? `${file.type}; charset=utf-8` : file.type,
    ...(file.bytes !== undefined && { 'Content-Length': file.bytes }),
    'Content-Disposition': attachment(file.name),
  });
  try {
    await pipeline(Readable.from(file.pieces, { objectMode: false }), response);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    await file.close?.();
  }
}

const isText = (type: string): boolean => /^text\/|json$/.test(type);

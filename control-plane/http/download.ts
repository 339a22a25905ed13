import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from '#contract/route.ts';
import { attachment } from './attachment.ts';
import { writeHead } from './head.ts';

/**
 * Sends 304 for null, otherwise a file chunk by chunk with backpressure. The length is sent first:
 * if the chunks end early, the connection is closed before it is reached, and the client detects
 * it.
 */
export async function sendDownload(response: ServerResponse, file: Download | null): Promise<void> {
  if (!file) return void writeHead(response, 304).end();
  writeHead(response, 200, {
    'Content-Type': isText(file.type) ? `${file.type}; charset=utf-8` : file.type,
    'Content-Length': file.bytes,
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

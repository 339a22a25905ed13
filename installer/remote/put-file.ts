import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { HOUR_MS } from '#lib/time-units.ts';
import { InstallerError } from '../installer-error.ts';
import { type RemoteResponse, readResponse, reasonOf } from './remote-response.ts';
import { DEFAULT_LIMIT_BYTES } from './send-request.ts';
import { TransientError } from './retry.ts';

/** The chunk size in bytes. */
const CHUNK = 1_048_576;

/**
 * Streams a file with PUT and a stated length. Uses node:http instead of `fetch`, which buffers far
 * more of the file than it has sent. Fails like `sendRequest`.
 */
export async function putFile(
  service: string,
  url: string,
  file: string,
  headers: Record<string, string>,
): Promise<RemoteResponse> {
  const prefix = `${service}: ${new URL(url).host}`;
  const { size } = await stat(file);
  const { request: connect } = url.startsWith('https:') ? https : http;
  const signal = AbortSignal.timeout(2 * HOUR_MS);
  const stated = { ...headers, 'content-length': size };
  const request = connect(url, { method: 'PUT', headers: stated, signal });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    // A server may respond and close the connection before it has received everything, and this
    // response counts. Only errors of the file itself take precedence.
    pipeline(readExactly(file, size), request).catch((error: Error) => {
      if (error instanceof InstallerError) reject(error);
    });
  });
  try {
    const response = await responded.catch((error: Error) => {
      if (error instanceof InstallerError) throw error;
      throw new TransientError(`${prefix} cannot be reached (${reasonOf(error)})`);
    });
    return await readResponse(prefix, response.statusCode ?? 0, response, DEFAULT_LIMIT_BYTES);
  } finally {
    request.destroy();
  }
}

/**
 * Reads exactly `size` bytes. Without the check, a file that has shrunk would leave the server
 * waiting for the rest.
 */
async function* readExactly(file: string, size: number): AsyncGenerator<Buffer> {
  let left = size;
  const stream = createReadStream(file, { end: size - 1, highWaterMark: CHUNK });
  try {
    for await (const bytes of stream) {
      left -= (bytes as Buffer).length;
      yield bytes as Buffer;
    }
  } catch (error) {
    throw new InstallerError(`the package cannot be read (${reasonOf(error as Error)})`);
  }
  if (left > 0) throw new InstallerError('the package was truncated while it was sent');
}

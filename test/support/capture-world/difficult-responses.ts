import { once } from 'node:events';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

type Responder = (request: Http2ServerRequest, response: Http2ServerResponse) => Promise<void>;

const PIECE_BYTES = 64 * 1024;

/** Responses that are difficult for a proxy. */
const responders: Record<string, Responder> = {
  /** Echoes the request as it arrives. */
  '/v1/echo': async (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for await (const chunk of request) {
      if (!response.write(chunk)) await waitUntilWritable(response);
      if (response.destroyed) return;
    }
    response.end();
  },
  /** Sends the given number of bytes. */
  '/v1/large': async (request, response) => {
    const bytes = Number(new URL(request.url, 'https://host').searchParams.get('bytes'));
    response.writeHead(200, { 'content-type': 'application/json' });
    for (let sent = 0; sent < bytes && !response.destroyed; sent += PIECE_BYTES) {
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, bytes - sent), 'a piece of a large answer ');
      if (!response.write(piece)) await waitUntilWritable(response);
    }
    response.end();
  },
  /** Ends the connection in the middle of the response. */
  '/v1/broken': async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    await new Promise((resolve) => response.write('{"begun":true,', resolve));
    if (request.httpVersionMajor === 2) response.stream.close(2);
    else request.socket.destroy();
  },
};

export const hasDifficultResponse = (path: string): boolean => path in responders;

export async function sendDifficultResponse(
  path: string,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  response.on('error', () => undefined);
  // The client may disconnect in the middle of its request.
  await responders[path]?.(request, response).catch(() => response.destroy());
}

const waitUntilWritable = (response: Http2ServerResponse): Promise<unknown> =>
  Promise.race([once(response, 'drain'), once(response, 'close')]);

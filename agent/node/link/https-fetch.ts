import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { request } from 'node:https';
import { errnoOf } from '../state/atomic-file.ts';

export interface HttpsFetchOptions {
  agent: Agent;
  timeoutMs: number;
  /** The maximum size of a response. */
  maxBytes: number;
}

export type HttpsFetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Implements the part of `fetch` that the typed client needs, over connections that can carry a
 * client certificate. All requests are idempotent, so a request on a reused connection that was
 * just closed is sent again.
 */
export function createHttpsFetch(options: HttpsFetchOptions): HttpsFetch {
  return async (url, init) => {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      return await sendOnce(url, init, signal, options);
    } catch (error) {
      // The reason shows whether the deadline or the caller aborted the request.
      if (signal.aborted) throw signal.reason;
      if (error instanceof StaleConnection) return sendOnce(url, init, signal, options);
      throw error;
    }
  };
}

class StaleConnection extends Error {}

function sendOnce(
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  { agent, maxBytes }: HttpsFetchOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(body && { 'content-length': String(body.length) }),
    };
    const clientRequest = request(
      url,
      { method: init.method, headers, agent, signal },
      (response) => {
        readResponse(response, maxBytes).then(resolve, reject);
      },
    );
    clientRequest.on('error', (error) => {
      const stale =
        clientRequest.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(errnoOf(error) ?? '');
      reject(stale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    clientRequest.end(body);
  });
}

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`answer larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const status = response.statusCode ?? 0;
  const body = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
  const { etag } = response.headers;
  return new Response(body, { status, headers: etag === undefined ? {} : { etag } });
}

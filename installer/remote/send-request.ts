import { MINUTE_MS } from '#lib/time-units.ts';
import { type RemoteResponse, readResponse, reasonOf } from './remote-response.ts';
import { TransientError } from './retry.ts';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: HeadersInit;
  body?: Uint8Array<ArrayBuffer> | string;
  /** Timeout in milliseconds for the complete response. */
  timeout?: number;
  /** Maximum size of the response in bytes. */
  limit?: number;
}

export const DEFAULT_LIMIT_BYTES = 1_048_576;

/**
 * Sends one request to a server, bounded in time and size. Messages contain only the host of the
 * URL, because the rest may be secret.
 *
 * @throws TransientError if the server cannot be reached or responds with 429 or 5xx,
 * InstallerError if the response is too large
 */
export async function sendRequest(
  service: string,
  url: string,
  options: RequestOptions = {},
): Promise<RemoteResponse> {
  const { timeout = MINUTE_MS, limit = DEFAULT_LIMIT_BYTES, ...init } = options;
  const prefix = `${service}: ${new URL(url).host}`;
  const signal = AbortSignal.timeout(timeout);
  const response = await fetch(url, { ...init, redirect: 'manual', signal }).catch(
    (error: Error) => {
      throw new TransientError(`${prefix} cannot be reached (${reasonOf(error)})`);
    },
  );
  return readResponse(prefix, response.status, response.body ?? empty(), limit);
}

async function* empty(): AsyncGenerator<Uint8Array> {}

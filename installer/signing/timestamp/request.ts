import type { X509Certificate } from 'node:crypto';
import { InstallerError } from '../../installer-error.ts';
import { sendRequest } from '../../remote/send-request.ts';
import { type Clock, retry } from '../../remote/retry.ts';
import { createQuery } from './query.ts';
import { readTimestamp } from './token.ts';

/** The URL has no TLS, because the response is signed and the request contains no secret. */
export const APPLE_TIMESTAMP_URL = 'http://timestamp.apple.com/ts01';

export interface TimestampOptions {
  url: string;
  clock: Clock;
  /**
   * The signer's certificate. The time must be within its validity, or the timestamp would be
   * useless.
   */
  signer: X509Certificate;
}

const MAX_RESPONSE_BYTES = 65_536;
const TIMEOUT_MS = 30_000;

/**
 * Requests an RFC 3161 token over a signature and verifies it. Returns it as DER. Retries while the
 * authority is unreachable.
 *
 * @throws InstallerError
 */
export async function requestTimestamp(
  signature: Uint8Array,
  options: TimestampOptions,
): Promise<Buffer> {
  const query = createQuery(signature);
  const response = await retry(options.clock, () => fetchResponse(options.url, query.der));
  try {
    const { token, time } = readTimestamp(response, query);
    checkTime(time, options.signer);
    return token;
  } catch (error) {
    if (!(error instanceof InstallerError)) throw error;
    throw new InstallerError(`timestamp: ${new URL(options.url).host}: ${error.message}`);
  }
}

async function fetchResponse(url: string, query: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const { status, body } = await sendRequest('timestamp', url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: query,
    timeout: TIMEOUT_MS,
    limit: MAX_RESPONSE_BYTES,
  });
  if (status === 200) return body;
  throw new InstallerError(`timestamp: ${new URL(url).host} answered ${status}`);
}

function checkTime(time: number, signer: X509Certificate): void {
  if (time >= signer.validFromDate.getTime() && time <= signer.validToDate.getTime()) return;
  const stated = new Date(time).toISOString();
  throw new InstallerError(
    `its time, ${stated}, is outside the validity of the signing certificate`,
  );
}

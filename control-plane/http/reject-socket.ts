import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { REASON_HEADER } from '#contract/error-codes.ts';
import type { ApiError } from '#contract/errors.ts';
import { errorBody, errorShapeOf } from './errors.ts';
import { JSON_TYPE } from './send.ts';

/** The time after which clients that have not closed the connection are disconnected. */
const LEAVE_MS = 2000;

/** Sends an error on a raw socket that has no Node response, and closes the connection. */
export function endWithRefusal(stream: Duplex, path: string, refusal: ApiError): void {
  const { status } = refusal;
  const body = JSON.stringify(errorBody(errorShapeOf(path), refusal));
  stream.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
      'Connection: close',
      'Cache-Control: no-store',
      ...retryAfter(refusal),
      `${REASON_HEADER}: ${refusal.reason}`,
      `X-Request-Id: ${randomUUID()}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
  setTimeout(() => stream.destroy(), LEAVE_MS).unref();
}

const retryAfter = ({ details: { retry_after } }: ApiError): string[] =>
  typeof retry_after === 'number' ? [`Retry-After: ${retry_after}`] : [];

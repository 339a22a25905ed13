import type { OutgoingHttpHeaders } from 'node:http2';
import { type ApiError, rpcCodeOf } from '#contract/errors.ts';

const UNIMPLEMENTED = 12;

/** The trailers of a successful call, sent after its message. */
export const OK: OutgoingHttpHeaders = { 'grpc-status': '0' };

export const unimplemented = (path: string): OutgoingHttpHeaders =>
  statusHeaders(UNIMPLEMENTED, `there is no ${path}: expected an Export of OpenTelemetry`);

/**
 * Returns the headers that refuse a call. If these include a retry delay, exporters repeat the
 * call.
 */
export async function refusalHeaders(refusal: ApiError): Promise<OutgoingHttpHeaders> {
  const { message, details } = refusal;
  const code = rpcCodeOf(refusal.code);
  const headers = statusHeaders(code, message);
  const { retry_after } = details;
  if (typeof retry_after !== 'number') return headers;
  const { encodeStatus } = await import('../protocol/protobuf.ts');
  const status = encodeStatus({ code, message, retryAfterSeconds: Math.ceil(retry_after) });
  return { ...headers, 'grpc-status-details-bin': Buffer.from(status).toString('base64') };
}

const statusHeaders = (code: number, message: string): OutgoingHttpHeaders => ({
  'grpc-status': String(code),
  'grpc-message': percentEncoded(message),
});

/**
 * Percent-encodes a gRPC message as UTF-8: all characters except printable ASCII without the
 * percent sign.
 */
const percentEncoded = (text: string): string =>
  text.toWellFormed().replaceAll(/[^ -$&-~]+/g, encodeURIComponent);

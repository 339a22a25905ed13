import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError, ErrorCode } from '#contract/errors.ts';
import { mediaTypeOf } from './content.ts';
import { sendBytes, sendJson } from './send.ts';

/** gRPC's canonical codes. */
const INVALID_ARGUMENT = 3;
const codes: Partial<Record<ErrorCode, number>> = {
  not_found: 5,
  forbidden: 7,
  quota_exceeded: 8,
  payload_too_large: 8,
  rate_limited: 8,
  internal_error: 13,
  unavailable: 14,
  unauthorized: 16,
};

/** Answers gRPC's Status, as protobuf where the request is. */
export async function sendRpcError(
  refusal: ApiError,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const status = { code: codes[refusal.code] ?? INVALID_ARGUMENT, message: refusal.message };
  const type = 'application/x-protobuf';
  if (mediaTypeOf(request) !== type) return sendJson(response, refusal.status, status);
  const encoded = await import('../otel/protocol/protobuf.ts').then(
    ({ encodeStatus }) => encodeStatus(status),
    () => undefined,
  );
  // What is refused may be just that it could not be loaded.
  if (!encoded) return sendJson(response, refusal.status, status);
  sendBytes(response, refusal.status, encoded, type);
}

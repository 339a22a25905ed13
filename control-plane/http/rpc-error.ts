import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '#contract/errors.ts';
import { rpcCodeOf } from '#contract/rpc-code.ts';
import { mediaTypeOf } from './content.ts';
import { sendBytes, sendJson } from './send.ts';

/** Sends a gRPC Status, as protobuf if the request is protobuf. */
export async function sendRpcError(
  refusal: ApiError,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const status = { code: rpcCodeOf(refusal.code), message: refusal.message };
  const type = 'application/x-protobuf';
  if (mediaTypeOf(request) !== type) return sendJson(response, refusal.status, status);
  const encoded = await import('../otel/protocol/protobuf.ts').then(
    ({ encodeStatus }) => encodeStatus(status),
    () => undefined,
  );
  // The error may be that the encoder could not be loaded.
  if (!encoded) return sendJson(response, refusal.status, status);
  sendBytes(response, refusal.status, encoded, type);
}

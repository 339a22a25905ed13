import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, rpcCodeOf } from '#contract/errors.ts';
import { mediaTypeOf } from './content.ts';
import type { HttpContext } from './http-context.ts';
import { sendBytes, sendJson } from './send.ts';
import { REASON_HEADER } from '#contract/error-codes.ts';
import { isEst } from '#contract/est.ts';
import type { Route } from '#contract/route.ts';
import { requestIdOf } from './head.ts';

/** Writes an error as the response of an API route. Pages and raw sockets have separate writers. */
export function sendError(
  context: HttpContext,
  shape: Route['errors'],
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const refusal = refusalOf(context, error, request, response);
  if (response.headersSent) return;
  if (typeof refusal.details.retry_after === 'number')
    response.setHeader('Retry-After', String(refusal.details.retry_after));
  response.setHeader(REASON_HEADER, refusal.reason);
  if (refusal.code === 'unauthorized')
    response.setHeader('WWW-Authenticate', challengeOf(request.url));
  if (shape === 'rpc') void sendRpcError(context, refusal, request, response);
  else sendJson(response, refusal.status, errorBody(shape, refusal));
}

/**
 * Returns the authentication challenge. EST clients send a password only when challenged with
 * Basic, but browsers must not show a password prompt.
 */
const challengeOf = (path = '/'): string => (isEst(path) ? 'Basic realm="EST"' : 'Bearer');

/** Returns the body of an error as JSON, in the format that its route declares. */
export function errorBody(shape: Route['errors'], refusal: ApiError) {
  const { code, message, reason, details } = refusal;
  switch (shape) {
    case 'text':
      return { error: message };
    case 'coded':
      return { error: { code, message, details: { reason, ...details } } };
    case 'rpc':
      return rpcStatusOf(refusal);
  }
}

/** Converts an error for the client. Internal errors are only logged. */
export const refusalOf = (
  context: HttpContext,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): ApiError =>
  asRefusal(context, error, () => ({
    id: requestIdOf(response),
    call: `${request.method} ${request.url?.replace(/\?.*/s, '')}`,
  }));

/** Converts an error for the client, whatever the protocol of the request. */
export function asRefusal(
  { log, storage }: Pick<HttpContext, 'log' | 'storage'>,
  error: unknown,
  describe: () => { id: string; call: string },
): ApiError {
  if (error instanceof ApiError) return error;
  const { id, call } = describe();
  log.error({ err: error, request_id: id }, `${call} failed`);
  const unavailability = storage.unavailability(error);
  if (unavailability) return new ApiError(unavailability.reason, unavailability.message);
  if (storage.isTransactionRollback(error))
    return new ApiError('transaction_conflict', 'concurrent modification: retry');
  return new ApiError('internal_error', `internal error (request ${id})`);
}

/** Returns the error format of a path. Paths under these prefixes return errors with a code. */
export const errorShapeOf = (path: string): Route['errors'] =>
  /^\/((api\/)?svc|\.well-known\/est)\//.test(path) ? 'coded' : 'text';

/** Converts an error to a gRPC Status. */
export const rpcStatusOf = ({ code, message }: ApiError) => ({ code: rpcCodeOf(code), message });

/** Sends a gRPC Status, as protobuf if the request is protobuf. */
export async function sendRpcError(
  { encodeRpcStatus }: HttpContext,
  refusal: ApiError,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const status = rpcStatusOf(refusal);
  const type = 'application/x-protobuf';
  if (mediaTypeOf(request) !== type) return sendJson(response, refusal.status, status);
  const encoded = await encodeRpcStatus(status).catch(() => undefined);
  // The error may be that the encoder cannot be loaded.
  if (!encoded) return sendJson(response, refusal.status, status);
  sendBytes(response, refusal.status, encoded, type);
}

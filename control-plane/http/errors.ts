import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { isEst } from '#contract/est.ts';
import type { Route } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { requestIdOf } from './head.ts';
import { sendRpcError } from './rpc-error.ts';
import { sendJson } from './send.ts';

/** The only place where an error becomes a response. */
export function sendError(
  context: Context,
  shape: Route['errors'],
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const refusal = refusalOf(context, error, request, response);
  if (response.headersSent) return;
  if (typeof refusal.details.retry_after === 'number')
    response.setHeader('Retry-After', String(refusal.details.retry_after));
  if (refusal.code === 'unauthorized')
    response.setHeader('WWW-Authenticate', challengeOf(request.url));
  if (shape === 'rpc') void sendRpcError(refusal, request, response);
  else sendJson(response, refusal.status, errorBody(shape, refusal));
}

/**
 * EST clients send a password only when challenged with Basic; browsers must not show a password
 * prompt.
 */
const challengeOf = (path = '/'): string => (isEst(path) ? 'Basic realm="EST"' : 'Bearer');

/** Error body in one of the API's two formats. */
export const errorBody = (shape: Route['errors'], { code, message, details }: ApiError) => ({
  error: shape === 'coded' ? { code, message, details } : message,
});

/** Converts an error for the client. Internal errors are only logged. */
export function refusalOf(
  { log, storage }: Context,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): ApiError {
  if (error instanceof ApiError) return error;
  const id = requestIdOf(response);
  log.error(
    { err: error, request_id: id },
    `${request.method} ${request.url?.replace(/\?.*/s, '')} failed`,
  );
  const unavailability = storage.unavailability(error);
  if (unavailability) return new ApiError('unavailable', unavailability);
  if (storage.isBrokenOff(error))
    return new ApiError('unavailable', 'concurrent modification: retry');
  return new ApiError('internal_error', `internal error (request ${id})`);
}

/** Paths under these prefixes return errors with a code. */
export const errorShapeOf = (path: string): Route['errors'] =>
  /^\/((api\/)?svc|\.well-known\/est)\//.test(path) ? 'coded' : 'text';

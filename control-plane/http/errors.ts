import type { Request, Response } from 'express';
import { ApiError } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import type { Context } from '../context.ts';

/** The one place where an error becomes an answer. What is not ours to tell stays in the log. */
export function sendError(
  context: Context,
  shape: Route['errors'],
  error: unknown,
  request: Request,
  response: Response,
): void {
  const refusal = error instanceof ApiError ? error : unexpected(context, error, request, response);
  if (response.headersSent) return;
  if (refusal.code === 'rate_limited' && typeof refusal.details.retry_after === 'number')
    response.setHeader('Retry-After', String(refusal.details.retry_after));
  if (refusal.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  const { code, message, details } = refusal;
  response
    .status(refusal.status)
    .json({ error: shape === 'coded' ? { code, message, details } : message });
}

function unexpected(
  { log, storage }: Context,
  error: unknown,
  request: Request,
  response: Response,
): ApiError {
  const id = String(response.getHeader('X-Request-Id'));
  log.error({ err: error, request_id: id }, `${request.method} ${request.path} failed`);
  if (storage.isUnavailable(error))
    return new ApiError('unavailable', 'the database does not answer: try again in a moment');
  return new ApiError('internal_error', `internal error; in the log it is request ${id}`);
}

/** Paths under these prefixes answer errors with a code. */
export const errorShapeOf = (path: string): Route['errors'] =>
  /^\/(api\/)?svc\//.test(path) ? 'coded' : 'text';

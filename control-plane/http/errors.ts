import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';

/** The one place where an error becomes an answer. What is not ours to tell stays in the log. */
export function sendError(
  log: Logger,
  shape: Route['errors'],
  error: unknown,
  request: Request,
  response: Response,
): void {
  const refusal = error instanceof ApiError ? error : unexpected(log, error, request, response);
  if (response.headersSent) return;
  if (refusal.code === 'rate_limited' && typeof refusal.details.retry_after === 'number')
    response.setHeader('Retry-After', String(refusal.details.retry_after));
  if (refusal.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  const { code, message, details } = refusal;
  response
    .status(refusal.status)
    .json({ error: shape === 'coded' ? { code, message, details } : message });
}

function unexpected(log: Logger, error: unknown, request: Request, response: Response): ApiError {
  log.error(
    { err: error, request_id: response.getHeader('X-Request-Id') },
    `${request.method} ${request.path} failed`,
  );
  return new ApiError('internal_error', 'internal error; the request id names it in the log');
}

/** Paths under these prefixes answer errors with a code. */
export const errorShapeOf = (path: string): Route['errors'] =>
  /^\/(api\/)?svc\//.test(path) ? 'coded' : 'text';

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { errorShapeOf, sendError } from './errors.ts';
import { requestIdOf } from './head.ts';
import type { HttpContext } from './http-context.ts';
import { mount, type RouteHandler } from './mount.ts';
import { createRouter } from './router.ts';

/**
 * Serves the contract's routes and passes all other requests to `fallback`. Recording receives
 * thousands of requests per second, so this path does little work per request.
 */
export function createListener(
  context: HttpContext,
  routes: readonly RouteHandler[],
  fallback: RequestListener,
): RequestListener {
  const find = createRouter(routes.map((served) => mount(context, served)));
  return (request, response) => {
    logRequest(context, request, response);
    const start = performance.now();
    try {
      const match = find(methodOf(request), pathOf(request));
      const observe = (): void =>
        context.metrics.observeRequest(
          match?.served.route,
          response.statusCode,
          performance.now() - start,
        );
      if (match)
        context.shutdown.follow(match.served.serve(match.params, request, response), observe);
      else {
        response.on('close', () => observe());
        fallback(request, response);
      }
    } catch (error) {
      refuse(context, error, request, response);
    }
  };
}

/** Returns the method of a request. HEAD is handled as GET, and Node omits the body. */
const methodOf = ({ method = 'GET' }: IncomingMessage): string =>
  method === 'HEAD' ? 'GET' : method;

const pathOf = ({ url = '/' }: IncomingMessage): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

/** Logs the request at debug level. */
function logRequest(
  { log }: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (!log.isLevelEnabled('debug')) return;
  const request_id = requestIdOf(response);
  response.on('finish', () =>
    log.debug({ request_id, status: response.statusCode }, `${request.method} ${pathOf(request)}`),
  );
}

/** Responds to unmatched or failed requests. */
export function refuse(
  context: HttpContext,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = pathOf(request);
  const refusal =
    error instanceof URIError ? new ApiError('malformed_request', `malformed URL: ${path}`) : error;
  sendError(context, errorShapeOf(path), refusal, request, response);
}

export const routeNotFound = (request: IncomingMessage): ApiError =>
  new ApiError('not_found', `there is no ${request.method} ${pathOf(request)}`);

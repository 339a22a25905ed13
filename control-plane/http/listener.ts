import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { errorShapeOf, sendError } from './errors.ts';
import { requestIdOf } from './head.ts';
import { serve, type Served } from './mount.ts';
import { createRouter } from './router.ts';

/**
 * Serves the contract's routes, and leaves everything else to `rest`. Recording takes thousands of
 * requests a second: what is looked up here for each of them is what a request costs.
 */
export function createListener(
  context: Context,
  routes: readonly Served[],
  rest: RequestListener,
): RequestListener {
  const find = createRouter(routes);
  return (request, response) => {
    logRequest(context, request, response);
    const start = performance.now();
    try {
      const found = find(methodOf(request), pathOf(request));
      const observe = (): void =>
        context.metrics.observeRequest(
          found?.served.route,
          response.statusCode,
          performance.now() - start,
        );
      if (found) context.shutdown.follow(serve(context, found, request, response), observe);
      else {
        response.on('close', () => observe());
        rest(request, response);
      }
    } catch (error) {
      refuse(context, error, request, response);
    }
  };
}

/** HEAD is GET whose body stays here: Node leaves it out by itself. */
const methodOf = ({ method = 'GET' }: IncomingMessage): string =>
  method === 'HEAD' ? 'GET' : method;

const pathOf = ({ url = '/' }: IncomingMessage): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

/** Tells the log, where it wants to know of every request. */
function logRequest({ log }: Context, request: IncomingMessage, response: ServerResponse): void {
  if (!log.isLevelEnabled('debug')) return;
  const request_id = requestIdOf(response);
  response.on('finish', () =>
    log.debug({ request_id, status: response.statusCode }, `${request.method} ${pathOf(request)}`),
  );
}

/** What nobody served, or nobody could. */
export function refuse(
  context: Context,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = pathOf(request);
  const refusal =
    error instanceof URIError
      ? new ApiError('bad_request', `the address is not well formed: ${path}`)
      : error;
  sendError(context, errorShapeOf(path), refusal, request, response);
}

export const nothingHere = (request: IncomingMessage): ApiError =>
  new ApiError('not_found', `there is no ${request.method} ${pathOf(request)}`);

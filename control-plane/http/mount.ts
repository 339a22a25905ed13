import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { ServedRequest } from './api-request.ts';
import { sendError } from './errors.ts';
import type { HttpContext } from './http-context.ts';
import { inputReaderOf } from './input.ts';
import { senderOf } from './output.ts';
import { acceptsHtml, sendRefusalPage } from './refusal-page.ts';

/** A route with its handler. */
export interface RouteHandler {
  route: Route;
  handle: (request: ServedRequest) => unknown;
}

/** A route that is ready to be served. */
export interface Mounted {
  route: Route;
  /**
   * Serves a request; `params` are those of the path. It never rejects, because errors are sent
   * too.
   */
  serve(
    params: Record<string, string>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void>;
}

/** Prepares a route: chooses once how its requests are read and answered. */
export function mount(context: HttpContext, { route, handle }: RouteHandler): Mounted {
  const readInput = inputReaderOf(route);
  const send = senderOf(context, route);
  const refuse = route.status === 303 ? refuseInBrowser : sendError;
  return {
    route,
    async serve(params, request, response) {
      try {
        if (route.hasSideEffects) refuseHead(request, response);
        const caller = await context.authenticate(route, request);
        const input = await readInput(request, params);
        const output = await handle(new ServedRequest(context, request, response, caller, input));
        await send(output, request, response);
      } catch (error) {
        refuse(context, route.errors, error, request, response);
      }
    },
  };
}

/** Refuses HEAD, which is GET without a body, but must not have side effects. */
function refuseHead({ method }: IncomingMessage, response: ServerResponse): void {
  if (method !== 'HEAD') return;
  response.setHeader('Allow', 'GET');
  throw new ApiError('method_not_allowed', 'HEAD is not supported: this GET has side effects');
}

/** Sends an error as a page to browsers, because they follow redirects and their users see it. */
const refuseInBrowser: typeof sendError = (context, shape, error, request, response) =>
  acceptsHtml(request)
    ? sendRefusalPage(context, error, request, response)
    : sendError(context, shape, error, request, response);

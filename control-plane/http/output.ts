import type { ServerResponse, IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Download, Route } from '#contract/route.ts';
import { sendJson, sendBytes } from './send.ts';
import { sendDownload } from './download.ts';
import { errorBody, refusalOf } from './errors.ts';
import { sendTagged } from './etag.ts';
import { isStream, sendEvents } from './event-stream.ts';
import { writeHead } from './head.ts';
import type { HttpContext } from './http-context.ts';

/** Sends the result of a handler. */
export type Send = (
  output: unknown,
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/**
 * Returns the function that sends the results of a route, which is chosen once. Most routes have
 * only one form of response.
 */
export function senderOf(context: HttpContext, route: Route): Send {
  const { accepted, unavailable, events } = route;
  let send = successSenderOf(route);
  if (accepted) send = orAccepted(accepted, send);
  if (unavailable) send = orUnavailable(unavailable, send);
  if (events) send = orEvents(context, route, events, send);
  return send;
}

const orAccepted =
  (shape: z.ZodType, send: Send): Send =>
  (output, request, response) =>
    isWaiting(output) ? sendWaiting(response, shape, output) : send(output, request, response);

const orUnavailable =
  (shape: z.ZodType, send: Send): Send =>
  (output, request, response) =>
    isUnavailable(output)
      ? sendUnavailable(response, shape, output)
      : send(output, request, response);

const orEvents =
  (context: HttpContext, { errors }: Route, event: z.ZodType, send: Send): Send =>
  (output, request, response) =>
    isStream(output)
      ? sendEvents(response, event, output, (error) => {
          const refusal = refusalOf(context, error, request, response);
          // The head, which contains the reason of other errors, has already been sent.
          return { ...errorBody(errors, refusal), reason: refusal.reason };
        })
      : send(output, request, response);

function successSenderOf(route: Route): Send {
  const { status = 200, produces, response: shape } = route;
  if (route.downloads)
    return (output, _request, response) => sendDownload(response, output as Download | null);
  if (route.etag)
    return (output, request, response) => sendTagged(request, response, z.encode(shape, output));
  if (status === 204) return (_output, _request, response) => void writeHead(response, 204).end();
  if (status === 303)
    return (output, _request, response) =>
      void writeHead(response, 303, { Location: output as string }).end();
  if (produces)
    return (output, _request, response) => sendBytes(response, status, output as string, produces);
  if (route.consumes)
    return (output, _request, response) => sendBytes(response, status, output as Uint8Array);
  return (output, _request, response) => sendJson(response, status, z.encode(shape, output));
}

/** A response that says that a required dependency is not working. */
interface Unavailable {
  status: 'unavailable';
}

export const isUnavailable = (output: unknown): output is Unavailable =>
  (output as Partial<Unavailable> | null)?.status === 'unavailable';

export const sendUnavailable = (
  response: ServerResponse,
  shape: z.ZodType,
  output: Unavailable,
): void => sendJson(response, 503, z.encode(shape, output));

/** A response that says that a decision is pending. */
interface Waiting {
  status: 'pending';
  /** In seconds. */
  retry_after: number;
}

export const isWaiting = (output: unknown): output is Waiting =>
  typeof output === 'object' &&
  output !== null &&
  'retry_after' in output &&
  (output as Partial<Waiting>).status === 'pending';

function sendWaiting(response: ServerResponse, shape: z.ZodType, waiting: Waiting): void {
  response.setHeader('Retry-After', String(waiting.retry_after));
  sendJson(response, 202, z.encode(shape, waiting));
}

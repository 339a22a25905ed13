import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import type { Download, Route, RouteGroup } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { memoize } from '../lib/memoize.ts';
import { authenticate } from './authenticate.ts';
import { LIMIT_OF_STRANGERS, readJson } from './body.ts';
import { clientAddress } from './client-address.ts';
import type { Call, Handler, Handlers, HeaderName } from './handler.ts';
import { readContent } from './content.ts';
import { errorBody, refusalOf, sendError } from './errors.ts';
import { writeHead } from './head.ts';
import { acceptsHtml, sendRefusalPage } from './refusal-page.ts';
import type { Match } from './router.ts';
import { sendBytes, sendJson } from './send.ts';
import { sendDownload } from './download.ts';
import { isStream, sendEvents } from './event-stream.ts';
import { isUnready, sendUnready } from './unready.ts';
import { isWaiting, sendWaiting } from './accepted.ts';
import { findDropped, findUnstorable } from './storable.ts';
import { sendTagged } from './etag.ts';

/** A route with its handler. */
export interface Served {
  route: Route;
  handler: Handler<Route>;
}

/** Every route of these groups with its handler. */
export const servedBy = <G extends RouteGroup>(group: G, handlers: Handlers<G>): Served[] =>
  Object.entries(group).map(([name, route]) => ({
    route,
    handler: handlers[name as keyof G] as unknown as Handler<Route>,
  }));

/** Serves one request: authenticate, validate, handle, encode. */
export async function serve(
  context: Context,
  { served: { route, handler }, params }: Match<Served>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    refuseHead(route, request, response);
    const caller = await authenticate(context, route, request);
    const body = await readBody(route, request);
    const call = new ServedCall(context, request, response, {
      caller,
      params: route.params && decodeParams(route.params, params),
      query: route.query && decodeQuery(route.query, queryOf(request)),
      body: route.consumes ? body : route.body && decodeBody(route, route.body, body),
    });
    const output = await handler(context, call as unknown as Call<Route>);
    if (route.streams && isStream(output))
      await sendEvents(response, route.streams, output, (error) =>
        errorBody(route.errors, refusalOf(context, error, request, response)),
      );
    else await answer(route, output, request, response);
  } catch (error) {
    if (route.status === 303 && acceptsHtml(request))
      sendRefusalPage(context, error, request, response);
    else sendError(context, route.errors, error, request, response);
  }
}

/** Sends the handler's result in the format that the route declares. */
async function answer(
  route: Route,
  output: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (route.waits && isWaiting(output)) sendWaiting(response, route.waits, output);
  else if (route.unready && isUnready(output)) sendUnready(response, route.unready, output);
  else if (route.downloads) await sendDownload(response, output as Download | null);
  else if (route.tagged) sendTagged(request, response, z.encode(route.response, output));
  else send(route, response, output);
}

type Decoded = Record<'caller' | 'params' | 'query' | 'body', unknown>;

/**
 * Arguments of a handler. The accessors belong to a class: an object literal with accessors would
 * get its own hidden class for each request, which V8 retains, with everything the accessors close
 * over, until the next major garbage collection.
 */
class ServedCall {
  readonly caller: unknown;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly #context: Context;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(
    context: Context,
    request: IncomingMessage,
    response: ServerResponse,
    { caller, params, query, body }: Decoded,
  ) {
    this.caller = caller;
    this.params = params;
    this.query = query;
    this.body = body;
    this.#context = context;
    this.#request = request;
    this.#response = response;
  }

  get url(): URL {
    return new URL(this.#request.url ?? '/', this.#context.urls.public);
  }

  get address(): string {
    return clientAddress(this.#request, this.#context.config.trustedProxies);
  }

  get refusalOf(): (error: unknown) => ApiError {
    return (error) => refusalOf(this.#context, error, this.#request, this.#response);
  }

  readonly header = (name: HeaderName) => this.#request.headers[name];
  readonly setHeader = (name: string, value: string | readonly string[]) =>
    void this.#response.setHeader(name, value);
  readonly gone = () => goneOf(this.#response);
}

/** HEAD is GET without a body, but callers expect it to have no side effects. */
function refuseHead({ acts }: Route, { method }: IncomingMessage, response: ServerResponse): void {
  if (!acts || method !== 'HEAD') return;
  response.setHeader('Allow', 'GET');
  throw new ApiError('method_not_allowed', 'HEAD is not supported: this GET has side effects');
}

function readBody(route: Route, request: IncomingMessage): Promise<unknown> | undefined {
  if (route.consumes) return readContent(request, route.consumes);
  if (!route.body) return undefined;
  return readJson(request, route.auth === 'none' ? LIMIT_OF_STRANGERS : undefined);
}

/** The query parameters; a repeated one is an array. */
const queryOf = ({ url = '' }: IncomingMessage): Record<string, unknown> => {
  const start = url.indexOf('?');
  // The result of `parse` has no prototype, which object schemas reject.
  return start < 0 ? {} : { ...parse(url.slice(start + 1)) };
};

/** Repeated parameters are reported if the schema expects one value. */
function decodeQuery(schema: z.ZodObject, query: Record<string, unknown>): unknown {
  for (const [name, value] of Object.entries(query))
    if (
      Array.isArray(value) &&
      Object.hasOwn(schema.shape, name) &&
      !takesSeveral(schema.shape[name] as z.ZodType)
    )
      throw new ApiError('validation_error', `${name}: expected once, found ${value.length} times`);
  const unstorable = findUnstorable(query, 'query');
  if (unstorable) throw new ApiError('validation_error', unstorable);
  return decode(schema, query, 'query');
}

/** Only list fields may be repeated. */
function takesSeveral(field: z.ZodType): boolean {
  const { type, anyOf = [] } = z.toJSONSchema(field, { io: 'input' });
  return [type, ...anyOf.map((option) => typeof option === 'object' && option.type)].includes(
    'array',
  );
}

function decode(schema: z.ZodType, value: unknown, root: string): unknown {
  const result = z.safeDecode(compiledOf(schema), value);
  if (result.success) return result.data;
  throw new ApiError('validation_error', describeIssues(result.error, root));
}

// Compiled schemas take a fraction of the time; compiled lazily, because a process never uses most
// of them.
const compiledOf = memoize((schema: z.ZodType): z.ZodType => z.compile(schema));

function decodeBody(route: Route, schema: z.ZodType, body: unknown): unknown {
  const decoded = decode(schema, body, 'body');
  const dropped = isSetting(route) ? findDropped(body, 'body') : undefined;
  if (dropped) throw new ApiError('validation_error', dropped);
  return decoded;
}

/** Is the body a setting chosen by a user, rather than recorded data? */
const isSetting = ({ auth, permission }: Route): boolean =>
  auth === 'session' || auth === 'admin' || permission === 'admin';

/** A malformed id names nothing that exists. */
function decodeParams(schema: z.ZodType, params: Record<string, string>): unknown {
  const result = z.safeDecode(compiledOf(schema), params);
  const wrong =
    result.error?.issues[0]?.path[0] ??
    Object.keys(params).find((name) => findUnstorable(params[name], name));
  if (wrong === undefined) return result.data;
  const name = String(wrong);
  throw new ApiError('not_found', `there is no ${name} ${JSON.stringify(params[name])}`);
}

function goneOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function send(route: Route, response: ServerResponse, output: unknown): void {
  const status = route.status ?? 200;
  if (status === 204) writeHead(response, 204).end();
  else if (status === 303) writeHead(response, 303, { Location: output as string }).end();
  else if (route.produces) sendBytes(response, status, output as string, route.produces);
  else if (route.consumes) sendBytes(response, status, output as Uint8Array);
  else sendJson(response, status, z.encode(route.response, output));
}

import express, { type Express, type Request, type Response } from 'express';
import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import type { Route, RouteGroup } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { authenticate } from './authenticate.ts';
import type { Call, Handler, Handlers } from './call.ts';
import { sendError } from './errors.ts';
import { findUnstorable } from './storable.ts';

const BODY_LIMIT = '10mb';
const parseJson = express.json({ limit: BODY_LIMIT, strict: false, type: () => true });

/** Serves a group of routes: authenticate, validate, handle, encode. */
export function mount<G extends RouteGroup>(
  app: Express,
  context: Context,
  group: G,
  handlers: Handlers<G>,
): void {
  for (const [name, route] of Object.entries(group))
    mountRoute(app, context, route, handlers[name as keyof G]);
}

function mountRoute(app: Express, context: Context, route: Route, handler: Handler<Route>): void {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1');
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  app[method](path, async (request: Request, response: Response) => {
    try {
      const caller = await authenticate(context, route, request);
      if (route.body) await readBody(request, response);
      const call = {
        caller,
        ...validate(route, request),
        ...surroundings(context, request, response),
      };
      send(route, response, await handler(context, call as Call<Route>));
    } catch (error) {
      sendError(context, route.errors, error, request, response);
    }
  });
}

function readBody(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => {
      if (error) reject(bodyError(error as Error & { type?: string }));
      else resolve();
    });
  });
}

function bodyError(error: Error & { type?: string }): ApiError {
  if (error.type === 'entity.too.large')
    return new ApiError('payload_too_large', `the body is larger than ${BODY_LIMIT}`);
  if (error.type === 'entity.parse.failed')
    return new ApiError('bad_request', `the body is not JSON: ${error.message}`);
  return new ApiError('bad_request', `the body could not be read: ${error.message}`);
}

function validate(route: Route, request: Request) {
  return {
    params: route.params && decodeParams(route.params, request),
    query: route.query && decode(route.query, request.query, 'query'),
    body: route.body && decode(route.body, request.body, 'body'),
  };
}

function decode(schema: z.ZodType, value: unknown, root: string): unknown {
  const unstorable = findUnstorable(value, root);
  if (unstorable) throw new ApiError('validation_error', unstorable);
  const result = z.safeDecode(schema, value);
  if (result.success) return result.data;
  throw new ApiError('validation_error', describeIssues(result.error, root));
}

/** An id of the wrong form names nothing that exists. */
function decodeParams(schema: z.ZodType, request: Request): unknown {
  const result = z.safeDecode(schema, request.params);
  if (result.success && !findUnstorable(request.params, 'path')) return result.data;
  const [name, value] = Object.entries(request.params)[0] ?? [];
  throw new ApiError('not_found', `there is no ${name} ${JSON.stringify(value)}`);
}

function surroundings(context: Context, request: Request, response: Response) {
  return {
    url: new URL(request.originalUrl, context.urls.public),
    address: request.socket.remoteAddress ?? '',
    setHeader: (name: string, value: string) => void response.setHeader(name, value),
  };
}

function send(route: Route, response: Response, output: unknown): void {
  response.status(route.status ?? 200);
  if (route.status === 204) response.end();
  else if (route.produces) response.type(route.produces).send(output);
  else response.json(z.encode(route.response, output));
}

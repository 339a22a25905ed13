import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { ANONYMOUS_BODY_LIMIT, readJson } from './body.ts';
import { lazilyCompiled } from '../lib/lazily-compiled.ts';
import type { Input } from './api-request.ts';
import { readContent } from './content.ts';
import { findProtoMember, findUnstorable } from './storable.ts';

/** Reads the body of a request and validates all of its parts. `params` are those of the path. */
export type ReadInput = (
  request: IncomingMessage,
  params: Record<string, string>,
) => Promise<Input>;

/** Returns the function that reads a route's requests, which is chosen once. */
export function inputReaderOf(route: Route): ReadInput {
  const readBody = bodyReaderOf(route);
  const decodeParams = route.params && paramsDecoderOf(route.params);
  const decodeQuery = route.query && queryDecoderOf(route.query);
  return async (request, params) => {
    const body = await readBody?.(request);
    return {
      params: decodeParams?.(params),
      query: decodeQuery?.(queryOf(request)),
      body: body?.(),
    };
  };
}

/** Reads the body, and returns a function that validates it after the path and the query. */
type ReadBody = (request: IncomingMessage) => Promise<() => unknown>;

function bodyReaderOf(route: Route): ReadBody | undefined {
  const { consumes, body } = route;
  if (consumes)
    return async (request) => {
      const content = await readContent(request, consumes);
      return () => content;
    };
  if (!body) return undefined;
  const limit = route.auth === 'none' ? ANONYMOUS_BODY_LIMIT : undefined;
  const decode = decoderOf(body, 'body');
  const refuse = isSetting(route) ? refuseProtoMember : undefined;
  return async (request) => {
    const value = await readJson(request, limit);
    return () => {
      const decoded = decode(value);
      refuse?.(value);
      return decoded;
    };
  };
}

/** Whether the body is a setting that a user chose, rather than recorded data. */
const isSetting = ({ auth, permission }: Route): boolean =>
  auth === 'session' || auth === 'admin' || permission === 'admin';

function refuseProtoMember(body: unknown): void {
  const dropped = findProtoMember(body, 'body');
  if (dropped) throw new ApiError('validation_error', dropped);
}

/** Returns the query parameters. A repeated one is an array. */
const queryOf = ({ url = '' }: IncomingMessage): Record<string, unknown> => {
  const start = url.indexOf('?');
  // The result of `parse` has no prototype, which object schemas reject.
  return start < 0 ? {} : { ...parse(url.slice(start + 1)) };
};

/**
 * Returns the decoder of a query. Repeated parameters are reported if the schema expects one value.
 */
function queryDecoderOf(schema: z.ZodObject): (query: Record<string, unknown>) => unknown {
  const decode = decoderOf(schema, 'query');
  return (query) => {
    for (const [name, value] of Object.entries(query))
      if (
        Array.isArray(value) &&
        Object.hasOwn(schema.shape, name) &&
        !isRepeatable(schema.shape[name] as z.ZodType)
      )
        throw new ApiError(
          'validation_error',
          `${name}: expected once, found ${value.length} times`,
        );
    const unstorable = findUnstorable(query, 'query');
    if (unstorable) throw new ApiError('validation_error', unstorable);
    return decode(query);
  };
}

/** Whether a field may be repeated, which only lists may. */
function isRepeatable(field: z.ZodType): boolean {
  const { type, anyOf = [] } = z.toJSONSchema(field, { io: 'input' });
  return [type, ...anyOf.map((option) => typeof option === 'object' && option.type)].includes(
    'array',
  );
}

/**
 * Returns the decoder of path parameters. A malformed id is reported like one that does not exist.
 */
function paramsDecoderOf(schema: z.ZodType): (params: Record<string, string>) => unknown {
  const compiled = lazilyCompiled(schema);
  return (params) => {
    const result = z.safeDecode(compiled(), params);
    const wrong =
      result.error?.issues[0]?.path[0] ??
      Object.keys(params).find((name) => findUnstorable(params[name], name));
    if (wrong === undefined) return result.data;
    const name = String(wrong);
    throw new ApiError('not_found', `there is no ${name} ${JSON.stringify(params[name])}`);
  };
}

function decoderOf(schema: z.ZodType, root: string): (value: unknown) => unknown {
  const compiled = lazilyCompiled(schema);
  return (value) => {
    const result = z.safeDecode(compiled(), value);
    if (result.success) return result.data;
    throw new ApiError('validation_error', describeIssues(result.error, root));
  };
}

import { z } from 'zod';
import { type ErrorCode, REASON_HEADER, statuses, usualCodeOf } from './error-codes.ts';
import { codeOf, errorReasons, reasonsWithStatus } from './error-reasons.ts';
import { codedError, rpcCodeOf, rpcError, textError } from './errors.ts';
import { exampleOf } from './example.ts';
import type { Contract, Route } from './route.ts';

type Json = Record<string, unknown>;

const schemes: Record<Exclude<Route['auth'], 'none'>, Json[]> = {
  'api-key': [{ apiKey: [] }, { bearer: [] }],
  session: [{ sessionCookie: [] }, { bearer: [] }],
  admin: [{ apiKey: [] }, { sessionCookie: [] }, { bearer: [] }],
  device: [{ deviceCertificate: [] }],
};

const errorShapes: Record<Route['errors'], z.ZodType> = {
  text: textError,
  coded: codedError,
  rpc: rpcError,
};

/** Describes the contract as an OpenAPI 3.1 document. */
export function openApiOf(contract: Contract, info: { title: string; version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, group] of Object.entries(contract))
    for (const [operationId, route] of Object.entries(group))
      (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(tag, operationId, route);
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      schemas: Object.fromEntries(
        statuses.map((status) => [reasonsName(status), { enum: reasonsWithStatus(status) }]),
      ),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Svc-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        sessionCookie: { type: 'apiKey', in: 'cookie', name: 'svc_session' },
        deviceCertificate: { type: 'mutualTLS' },
      },
    },
  };
}

function operation(tag: string, operationId: string, route: Route): Json {
  return {
    tags: [tag],
    operationId,
    summary: route.summary,
    ...(route.addOn && { 'x-add-on': route.addOn }),
    ...(route.auth !== 'none' && { security: schemes[route.auth] }),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body && { requestBody: { required: true, content: bodyContent(route, route.body) } }),
    responses: {
      [route.status ?? 200]: success(route),
      ...(route.etag && {
        304: { description: 'Not modified: the ETag in If-None-Match is current' },
      }),
      ...(route.accepted && { 202: waiting(route.accepted) }),
      ...refusals(route),
      ...(route.unavailable && {
        503: {
          description: 'A check failed: the first failure, and all checks',
          content: json(route.unavailable),
        },
      }),
    },
  };
}

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is invalid: the message names the field and the problem',
  401: 'The credentials are missing or invalid',
  403: 'The caller lacks the permission',
  404: 'The resource does not exist',
  409: 'The request conflicts with the current state',
  413: 'The body is larger than 10 MB, or 64 KB without credentials',
  415: 'The media type or encoding of the body is not supported',
  429: 'Too many requests: retry after Retry-After seconds',
  500: 'Internal error: the message has the request id in the log',
  502: 'The model provider rejected the request or failed',
  503: 'The database is unavailable or read-only, or too many requests are waiting: the message has the reason, Retry-After the delay in seconds',
  504: 'The model provider timed out',
};

function descriptionOf(status: number, { addOn }: Route): string {
  const description = descriptions[status] ?? '';
  return status === 403 && addOn
    ? `${description}, or the add-on "${addOn}" is not active`
    : description;
}

/** Whether an authenticated caller can lack the permission to call the route. */
const isLimited = ({ auth, permission, role, addOn, allowsExpiredPassword }: Route): boolean =>
  Boolean(permission ?? role ?? addOn) ||
  auth === 'admin' ||
  (auth === 'session' && !allowsExpiredPassword);

/** All error statuses of a route in ascending order. */
export function refusalStatuses(route: Route): number[] {
  const writes = route.method !== 'GET';
  const statuses = [
    ...(route.body || route.query || route.params ? [400] : []),
    ...(route.auth === 'none' ? [] : [401]),
    ...(writes || isLimited(route) ? [403] : []),
    ...(route.params ? [404] : []),
    ...(writes ? [409] : []),
    ...(route.body ? [413, 415] : []),
    429,
    500,
    503,
    ...(route.errorStatuses ?? []),
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** The error responses of a route, all in the same format. */
function refusals(route: Route): Json {
  return Object.fromEntries(
    refusalStatuses(route).map((status) => {
      const description = descriptionOf(status, route);
      const example = exampleOfError(route.errors, usualCodeOf(status), description);
      const content = {
        'application/json': { schema: errorSchema(route.errors, status), example },
        ...(route.protobuf && protobuf('google.rpc.Status')),
      };
      const headers = {
        [REASON_HEADER]: { description: 'The reason, for programs', schema: reasonSchema(status) },
      };
      return [status, { description, headers, content }];
    }),
  );
}

/**
 * The schema name for the reasons of one status. Listing all reasons in every error would double
 * the size of the document.
 */
const reasonsName = (status: number): string => `ErrorReason${status}`;

const reasonSchema = (status: number): Json => ({
  $ref: `#/components/schemas/${reasonsName(status)}`,
});

function errorSchema(shape: Route['errors'], status: number): Json {
  const schema = jsonSchema(errorShapes[shape]);
  if (shape !== 'coded') return schema;
  const { error } = schema.properties as CodedErrorSchema;
  error.properties.details.properties.reason = reasonSchema(status);
  return schema;
}

interface CodedErrorSchema {
  error: { properties: { details: { properties: { reason: Json } } } };
}

const exampleOfError = (shape: Route['errors'], code: ErrorCode, message: string): Json => {
  if (shape === 'rpc') return { code: rpcCodeOf(code), message };
  if (shape === 'text') return { error: message };
  const reason = errorReasons.find((one) => codeOf(one) === code);
  return { error: { code, message, details: { reason } } };
};

/** OpenAPI cannot describe protobuf, so only the name of the message is given. */
const protobuf = (message: string): Json => ({
  'application/x-protobuf': { schema: { description: `protobuf, ${message}` } },
});

/**
 * The content of a body. Text bodies use only the route's own types. Other bodies that are not JSON
 * are named but not described.
 */
function bodyContent({ consumes = [], protobuf: messages }: Route, body: z.ZodType): Json {
  const described = json(body);
  const isText = consumes.length > 0 && body instanceof z.ZodString;
  const types = consumes.map((type) => [type, isText ? described['application/json'] : {}]);
  return {
    ...Object.fromEntries(types),
    ...(!isText && described),
    ...(messages && protobuf(messages.request)),
  };
}

function success(route: Route): Json {
  if (route.status === 204) return { description: 'Done' };
  if (route.status === 303) return redirect(route);
  if (route.produces) {
    const schema = jsonSchema(route.response);
    const content = { [route.produces]: { schema, example: exampleOf(schema) } };
    return { description: 'The file', content };
  }
  if (route.downloads) {
    const schema = jsonSchema(route.response);
    const described = { schema, example: exampleOf(schema) };
    const content = Object.fromEntries(route.downloads.map((type) => [type, described]));
    return { description: 'The file, streamed', content };
  }
  return {
    description: 'Success',
    content: {
      ...json(route.response),
      ...(route.events && { 'text/event-stream': events(route.events) }),
      ...(route.protobuf && protobuf(route.protobuf.response)),
    },
  };
}

/** The schema of an event. The example is its encoded form. */
const events = (event: z.ZodType): Json => {
  const schema = jsonSchema(event);
  return { schema, example: `data: ${JSON.stringify(exampleOf(schema))}\n\n` };
};

const waiting = (shape: z.ZodType): Json => ({
  description: 'Waiting for approval: retry after Retry-After seconds',
  content: json(shape),
});

const redirect = ({ response }: Route): Json => ({
  description: 'Redirect to this address',
  headers: { Location: { schema: jsonSchema(response) } },
});

function parameters(schema: z.ZodObject | undefined, location: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
    ...(location === 'path' && { example: exampleOf(property, name) }),
  }));
}

/** A JSON body with an example. */
const json = (described: z.ZodType): Json => {
  const schema = jsonSchema(described);
  return { 'application/json': { schema, example: exampleOf(schema) } };
};

/** The JSON schema of the wire side of codecs, which is the `input` type. */
const jsonSchema = (schema: z.ZodType): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
};

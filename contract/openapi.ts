import { z } from 'zod';
import { codedError, rpcError, textError } from './errors.ts';
import type { Contract, Route } from './route.ts';

type Json = Record<string, unknown>;

const schemes: Record<Exclude<Route['auth'], 'none'>, Json[]> = {
  'api-key': [{ apiKey: [] }, { bearer: [] }],
  session: [{ sessionCookie: [] }, { bearer: [] }],
  device: [{ deviceCertificate: [] }],
};

const errorShapes: Record<Route['errors'], z.ZodType> = {
  text: textError,
  coded: codedError,
  rpc: rpcError,
};

/** The contract as an OpenAPI 3.1 document. */
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
    ...(route.auth !== 'none' && { security: schemes[route.auth] }),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body && { requestBody: { required: true, content: bodyContent(route, route.body) } }),
    responses: {
      [route.status ?? 200]: success(route),
      default: {
        description: 'Refused',
        content: json(errorShapes[route.errors]),
      },
    },
  };
}

/** What is not JSON is named, not described. */
const bodyContent = (route: Route, body: z.ZodType): Json => ({
  ...Object.fromEntries((route.consumes ?? []).map((type) => [type, {}])),
  ...json(body),
});

function success(route: Route): Json {
  if (route.status === 204) return { description: 'Done' };
  if (route.produces)
    return {
      description: 'The file',
      content: { [route.produces]: { schema: { type: 'string' } } },
    };
  return {
    description: 'Success',
    content: {
      ...json(route.response),
      ...(route.streams && { 'text/event-stream': { schema: jsonSchema(route.streams) } }),
    },
  };
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

const json = (schema: z.ZodType): Json => ({ 'application/json': { schema: jsonSchema(schema) } });

/** The wire's side of codecs, which is what `input` means. */
const jsonSchema = (schema: z.ZodType): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
};

import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The callers of a route: an API key, a signed-in user, either of these (`admin`, for
 * administration by people and programs), a device with a client certificate, or anyone.
 */
export type Auth = 'api-key' | 'session' | 'admin' | 'device' | 'none';

export const permissions = ['record', 'enroll', 'policies:write', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** The roles in ascending order. Each role includes the permissions of the roles before it. */
export const roles = ['viewer', 'analyst', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** The add-ons that a tenant can buy. */
export const addOnCodes = ['sso', 'audit_export', 'insights'] as const;
export type AddOnCode = (typeof addOnCodes)[number];

/**
 * A route of the service. The server mounts it, the client calls it, and the OpenAPI document is
 * generated from it. Schemas describe the wire format. For codecs, handlers receive the decoded
 * value (a timestamp is milliseconds internally and ISO 8601 on the wire).
 */
export interface Route {
  method: Method;
  /**
   * The path, with `{name}` parameters and a trailing slash. Requests without the slash work too.
   */
  path: `/${string}`;
  /**
   * Marks a GET route that is not a safe method (RFC 9110, 9.2.1), for which HEAD is not supported.
   */
  hasSideEffects?: true;
  summary: string;
  auth: Auth;
  /**
   * For `api-key` and `admin`: the permission that the key needs. Default for `admin`: "admin",
   * which includes all other permissions of such routes.
   */
  permission?: Permission;
  /** For `api-key`: recording keys, which devices pass to their coding agents, may call it too. */
  recordingKeys?: true;
  /** For `session` and `admin`: the weakest role that may call. Default for `admin`: "admin". */
  role?: Role;
  /**
   * For `session`: a user whose password expired or was reset, and must be changed, may call it
   * too.
   */
  allowsExpiredPassword?: true;
  /**
   * For `session`: people may call it while the tenant is suspended, so that they can switch to
   * another account.
   */
  allowsSuspendedTenant?: true;
  /**
   * The add-on that the tenant needs. `authorize` checks it. A route for `none` calls `authorize`
   * with the tenant that the request is for.
   */
  addOn?: AddOnCode;
  /** The listener that serves the route. Default: `main`. */
  listener?: 'main' | 'device';
  /**
   * The format of errors. `text`: `{"error": "…"}`. `coded`: `{"error": {"code", "message",
   * "details"}}`. `rpc`: gRPC's `{"code", "message"}`, as protobuf if the request is protobuf.
   */
  errors: 'text' | 'coded' | 'rpc';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /**
   * The status of a successful response. Default: 200. With 303, the response is the address to
   * redirect to.
   */
  status?: 200 | 201 | 202 | 204 | 303;
  /**
   * Whether the response has an ETag, and a request whose If-None-Match has the current one gets a
   * 304. For downloads, the handler sets the header and returns null for a 304.
   */
  etag?: true;
  /** The response with status 202, for requests that may have to wait for approval. */
  accepted?: z.ZodType;
  /** The response with status 503, if it has more details than an error. */
  unavailable?: z.ZodType;
  /** The statuses of errors beyond those implied by the other properties; see `openapi.ts`. */
  errorStatuses?: readonly (401 | 403 | 404 | 409 | 502 | 504)[];
  /**
   * The media types of a request body that is not only JSON. The handler then receives the bytes
   * and their type, and returns bytes of that type. `body` and `response` describe the JSON format.
   */
  consumes?: readonly string[];
  /** The message types of request and response, if one of `consumes` is protobuf. */
  protobuf?: { request: string; response: string };
  /**
   * The media type of a response that is not JSON. The handler then returns the bytes of a file.
   */
  produces?: string;
  /** The media types of a file that is streamed. The handler then returns a `Download`. */
  downloads?: readonly string[];
  /** The schema of an event (SSE), if the caller requests a stream. */
  events?: z.ZodType;
}

/** The callers of a route. */
export type Access = Pick<
  Route,
  | 'auth'
  | 'permission'
  | 'recordingKeys'
  | 'role'
  | 'allowsExpiredPassword'
  | 'allowsSuspendedTenant'
  | 'addOn'
>;

/** A file that is too large to keep in memory. */
export interface Download {
  /** One of the route's media types. */
  type: string;
  name: string;
  /** The total length. Undefined if it is not known before the end. */
  bytes?: number | undefined;
  pieces: AsyncIterable<Uint8Array>;
  /** Called at the end, even if no chunk was read. */
  close?: () => Promise<void>;
}

export type RouteGroup = Record<string, Route>;
export type Contract = Record<string, RouteGroup>;

type Decoded<S> = S extends z.ZodType ? z.output<S> : undefined;
type OnWire<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The input of a handler, validated and decoded. */
export interface RouteInput<R extends Route> {
  params: Decoded<R['params']>;
  query: Decoded<R['query']>;
  body: R['consumes'] extends readonly string[]
    ? { type: string; bytes: Uint8Array }
    : Decoded<R['body']>;
}

/** The output of a handler, before encoding for the wire. */
export type RouteOutput<R extends Route> =
  | (R['consumes'] extends readonly string[]
      ? Uint8Array
      : R['downloads'] extends readonly string[]
        ? Download | (R['etag'] extends true ? null : never)
        : z.output<R['response']>)
  | (R['events'] extends z.ZodType ? AsyncIterable<z.output<R['events']>> : never)
  | (R['accepted'] extends z.ZodType ? z.output<R['accepted']> : never)
  | (R['unavailable'] extends z.ZodType ? z.output<R['unavailable']> : never);

/** The request of a client, with only the parts that the route has. */
export type RouteRequest<R extends Route> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: OnWire<R[K]>;
};

/** A client's response. */
export type RouteResponse<R extends Route> = z.input<R['response']>;

/** One event of a streamed response. */
export type RouteEvent<R extends Route> = OnWire<R['events']>;

/** Checks the types of the routes and keeps the exact types of their schemas. */
export const routes = <const G extends RouteGroup>(group: G): G => group;

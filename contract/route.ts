import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: an API key, a signed-in user, either of the two (`admin`: what is administered by
 * people and by programs alike), a device's client certificate, or anybody.
 */
export type Auth = 'api-key' | 'session' | 'admin' | 'device' | 'none';

export const permissions = ['record', 'enroll', 'policies:write', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** Weakest first: each role may do all that the ones before it may. */
export const roles = ['viewer', 'analyst', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * One thing that can be asked of the service. The server mounts it, the client calls it and
 * OpenAPI is printed from it.
 *
 * Schemas describe the wire. Where a field is a codec, handlers see its decoded side
 * (a timestamp is milliseconds inside, ISO 8601 on the wire).
 */
export interface Route {
  method: Method;
  /** Path with `{name}` parameters and a trailing slash; calls without the slash work too. */
  path: `/${string}`;
  /** For GET: it changes something, so there is no HEAD of it, which nobody expects to. */
  acts?: true;
  summary: string;
  auth: Auth;
  /**
   * For `api-key` and `admin`: what the key must be allowed to do. For `admin` it is "admin" unless
   * said, and a key that may administer may this too.
   */
  permission?: Permission;
  /** For `session` and `admin`: the weakest role that may call; for `admin`, "admin" unless said. */
  role?: Role;
  /** For `session`: also for somebody who has to change the password before anything else. */
  withOldPassword?: true;
  /** The listener that serves it; `main` unless said. */
  listener?: 'main' | 'device';
  /**
   * `text`: `{"error": "…"}`. `coded`: `{"error": {"code", "message", "details"}}`. `rpc`: gRPC's
   * `{"code", "message"}`, as protobuf where the request is.
   */
  errors: 'text' | 'coded' | 'rpc';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** 200 unless said; with 303 the answer is the address where to go on. */
  status?: 200 | 201 | 202 | 204 | 303;
  /**
   * The answer has an ETag: whoever names it in If-None-Match is told 304 as long as it holds. Where
   * it is a download, the handler sets the one and answers null for the other.
   */
  tagged?: true;
  /** The shape of a 202 answer, where what was asked for may have to wait for somebody's decision. */
  waits?: z.ZodType;
  /** The shape of a 503 answer that says more than an error does. */
  unready?: z.ZodType;
  /** Statuses of refusals beyond those that follow from what is said here; see `openapi.ts`. */
  refuses?: readonly (401 | 403 | 404 | 409 | 502 | 504)[];
  /**
   * Media types of a body that is not only JSON. The handler then gets the bytes and their type, and
   * answers bytes of that type; `body` and `response` describe the JSON form.
   */
  consumes?: readonly string[];
  /** Where protobuf is one of them: the messages that are sent and answered. */
  protobuf?: { request: string; response: string };
  /** Media type of a response that is not JSON; the handler then answers the file's bytes. */
  produces?: string;
  /** Media types of a file that is answered in pieces; the handler then answers a `Download`. */
  downloads?: readonly string[];
  /** The events of an answer that arrives in pieces, where a caller may ask for that. */
  streams?: z.ZodType;
}

/** A file too large to hold. */
export interface Download {
  /** One of the route's media types. */
  type: string;
  name: string;
  /** Its whole length. */
  bytes: number;
  pieces: AsyncIterable<Uint8Array>;
  /** Called at the end, also where no piece was ever asked for. */
  close?: () => Promise<void>;
}

export type RouteGroup = Record<string, Route>;
export type Contract = Record<string, RouteGroup>;

type Decoded<S> = S extends z.ZodType ? z.output<S> : undefined;
type OnWire<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler is given: validated and decoded. */
export interface RouteInput<R extends Route> {
  params: Decoded<R['params']>;
  query: Decoded<R['query']>;
  body: R['consumes'] extends readonly string[]
    ? { type: string; bytes: Uint8Array }
    : Decoded<R['body']>;
}

/** What a handler answers; the mount encodes it for the wire. */
export type RouteOutput<R extends Route> =
  | (R['consumes'] extends readonly string[]
      ? Uint8Array
      : R['downloads'] extends readonly string[]
        ? Download | (R['tagged'] extends true ? null : never)
        : z.output<R['response']>)
  | (R['streams'] extends z.ZodType ? AsyncIterable<z.output<R['streams']>> : never)
  | (R['waits'] extends z.ZodType ? z.output<R['waits']> : never)
  | (R['unready'] extends z.ZodType ? z.output<R['unready']> : never);

/** What a client sends: only the parts that the route has. */
export type RouteRequest<R extends Route> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: OnWire<R[K]>;
};

/** What a client gets. */
export type RouteResponse<R extends Route> = z.input<R['response']>;

/** One piece of what a client gets when it asks for pieces. */
export type RouteEvent<R extends Route> = OnWire<R['streams']>;

/** Checks the shape while keeping the exact types of the schemas. */
export const routes = <const G extends RouteGroup>(group: G): G => group;

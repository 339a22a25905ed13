import type { ApiError } from '#contract/errors.ts';
import type {
  Permission,
  Role,
  Route,
  RouteGroup,
  RouteInput,
  RouteOutput,
} from '#contract/route.ts';
import type { Context } from '../context.ts';

export interface KeyCaller {
  tenantId: string;
  keyId: string;
  permissions: readonly Permission[];
}

export interface SessionCaller {
  tenantId: string;
  sessionId: string;
  userId: string;
  email: string;
  role: Role;
}

/** Whoever administers: a program or a person. */
export type AdminCaller = KeyCaller | SessionCaller;

export interface DeviceCaller {
  tenantId: string;
  deviceId: string;
}

export type CallerOf<R extends Route> = R['auth'] extends 'api-key'
  ? KeyCaller
  : R['auth'] extends 'session'
    ? SessionCaller
    : R['auth'] extends 'admin'
      ? AdminCaller
      : R['auth'] extends 'device'
        ? DeviceCaller
        : undefined;

/** What handlers may know of a request's head. */
export type HeaderName = 'authorization' | 'cookie' | 'host' | 'if-none-match' | 'user-agent';

/** One validated request. */
export interface Call<R extends Route> extends RouteInput<R> {
  caller: CallerOf<R>;
  /** Absolute, as the outside sees it. */
  url: URL;
  /** The client's network address. */
  address: string;
  header: (name: HeaderName) => string | undefined;
  setHeader: (name: string, value: string | readonly string[]) => void;
  /** Aborted when the client goes away before it has its answer. */
  gone: () => AbortSignal;
  /** What may be told of an error where that is not the whole answer; the rest goes to the log. */
  refusalOf: (error: unknown) => ApiError;
}

export type Handler<R extends Route> = (
  context: Context,
  call: Call<R>,
) => Promise<RouteOutput<R>> | RouteOutput<R>;

/** A handler for every route of a group: none can be forgotten. */
export type Handlers<G extends RouteGroup> = { [K in keyof G]: Handler<G[K]> };

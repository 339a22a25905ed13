import type { ApiError } from '#contract/errors.ts';
import type { Route, RouteGroup, RouteInput, RouteOutput } from '#contract/route.ts';
import type { Context } from '../context.ts';
import type { CallerOf } from './caller.ts';

/** Request headers that handlers may read. */
export type HeaderName = 'authorization' | 'cookie' | 'host' | 'if-none-match' | 'user-agent';

/** One validated request. */
export interface Call<R extends Route> extends RouteInput<R> {
  caller: CallerOf<R>;
  /** The absolute URL as clients see it. */
  url: URL;
  /** The client's network address. */
  address: string;
  header: (name: HeaderName) => string | undefined;
  setHeader: (name: string, value: string | readonly string[]) => void;
  /** Aborted when the client disconnects before it has received the response. */
  gone: () => AbortSignal;
  /** The part of an error that clients may see; the rest is logged. */
  refusalOf: (error: unknown) => ApiError;
}

export type Handler<R extends Route> = (
  context: Context,
  call: Call<R>,
) => Promise<RouteOutput<R>> | RouteOutput<R>;

/** A handler for every route of a group; the compiler reports missing ones. */
export type Handlers<G extends RouteGroup> = { [K in keyof G]: Handler<G[K]> };

import type { Route, RouteGroup, RouteOutput } from '#contract/route.ts';
import type { Context } from './context.ts';
import type { ApiRequest } from './http/api-request.ts';

export type Handler<R extends Route> = (
  context: Context,
  request: ApiRequest<R>,
) => Promise<RouteOutput<R>> | RouteOutput<R>;

/** Handlers for every route of a group. The compiler reports missing ones. */
export type Handlers<G extends RouteGroup> = { [K in keyof G]: Handler<G[K]> };

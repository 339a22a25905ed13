import type { Route, RouteGroup, RouteOutput } from '#contract/route.ts';
import type { Context } from './context.ts';
import type { Call } from './http/call.ts';

export type Handler<R extends Route> = (
  context: Context,
  call: Call<R>,
) => Promise<RouteOutput<R>> | RouteOutput<R>;

/** Handlers for every route of a group. The compiler reports missing ones. */
export type Handlers<G extends RouteGroup> = { [K in keyof G]: Handler<G[K]> };

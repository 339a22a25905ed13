import type { Route } from '#contract/route.ts';

export interface Match<T> {
  served: T;
  /** The values of the path's parameters, decoded. */
  params: Record<string, string>;
}

/** A place in the tree of paths; what stands at its end is served. */
interface RouteNode<T> {
  words: Map<string, RouteNode<T>>;
  parameter?: RouteNode<T>;
  /** By method, with the names of the path's parameters. */
  served: Map<string, { served: T; names: readonly string[] }>;
}

const newNode = <T>(): RouteNode<T> => ({ words: new Map(), served: new Map() });

/**
 * Finds what serves a request by walking its path once. Words go before parameters:
 * `llm-calls/models/` must not be taken for a call named "models". Paths match with and without
 * the trailing slash.
 *
 * @throws URIError for a parameter that is not well formed
 */
export function createRouter<T extends { route: Pick<Route, 'method' | 'path'> }>(
  all: readonly T[],
): (method: string, path: string) => Match<T> | undefined {
  const root = newNode<T>();
  for (const served of all) put(root, served);
  return (method, path) => {
    const values: string[] = [];
    const found = find(root, method, path, path.startsWith('/') ? 1 : 0, values);
    return found && { served: found.served, params: paramsOf(found.names, values) };
  };
}

function put<T extends { route: Pick<Route, 'method' | 'path'> }>(
  root: RouteNode<T>,
  served: T,
): void {
  const { method, path } = served.route;
  const names: string[] = [];
  let place = root;
  for (const segment of path.replace(/^\/|\/$/g, '').split('/'))
    if (segment.startsWith('{')) {
      names.push(segment.slice(1, -1));
      place = place.parameter ??= newNode();
    } else {
      const next = place.words.get(segment) ?? newNode();
      place.words.set(segment, next);
      place = next;
    }
  if (place.served.has(method)) throw new Error(`two routes are ${method} ${path}`);
  place.served.set(method, { served, names });
}

/** What serves the rest of a path, from one of its segments on; `values` is what parameters stand for. */
function find<T>(
  place: RouteNode<T>,
  method: string,
  path: string,
  from: number,
  values: string[],
): { served: T; names: readonly string[] } | undefined {
  const slash = path.indexOf('/', from);
  const segment = slash < 0 ? path.slice(from) : path.slice(from, slash);
  const isLast = slash < 0 || slash === path.length - 1;
  const below = (next: RouteNode<T> | undefined) =>
    next && (isLast ? next.served.get(method) : find(next, method, path, slash + 1, values));
  const found = below(place.words.get(segment));
  if (found || !place.parameter || segment === '') return found;
  const depth = values.push(segment);
  const byParameter = below(place.parameter);
  if (!byParameter) values.length = depth - 1;
  return byParameter;
}

function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  names.forEach((name, i) => {
    params[name] = decodeURIComponent(values[i] ?? '');
  });
  return params;
}

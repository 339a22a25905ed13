import type { Route } from '#contract/route.ts';

export interface Match<T> {
  served: T;
  /** The decoded path parameters. */
  params: Record<string, string>;
}

/** A node in the tree of paths, with the routes that end there. */
interface RouteNode<T> {
  words: Map<string, RouteNode<T>>;
  parameter?: RouteNode<T>;
  /** The routes by method, with the names of the path's parameters. */
  served: Map<string, { served: T; names: readonly string[] }>;
}

const newNode = <T>(): RouteNode<T> => ({ words: new Map(), served: new Map() });

/**
 * Creates a function that finds the route of a request by walking its path once. Literal segments
 * take precedence over parameters: `llm-calls/models/` must not match a call named "models". Paths
 * match with and without the trailing slash.
 *
 * @throws URIError for a malformed parameter
 */
export function createRouter<T extends { route: Pick<Route, 'method' | 'path'> }>(
  all: readonly T[],
): (method: string, path: string) => Match<T> | undefined {
  const root = newNode<T>();
  for (const served of all) insert(root, served);
  return (method, path) => {
    const values: string[] = [];
    const match = find(root, method, path, path.startsWith('/') ? 1 : 0, values);
    return match && { served: match.served, params: paramsOf(match.names, values) };
  };
}

function insert<T extends { route: Pick<Route, 'method' | 'path'> }>(
  root: RouteNode<T>,
  served: T,
): void {
  const { method, path } = served.route;
  const names: string[] = [];
  let node = root;
  for (const segment of path.replace(/^\/|\/$/g, '').split('/'))
    if (segment.startsWith('{')) {
      names.push(segment.slice(1, -1));
      node = node.parameter ??= newNode();
    } else {
      const next = node.words.get(segment) ?? newNode();
      node.words.set(segment, next);
      node = next;
    }
  if (node.served.has(method)) throw new Error(`duplicate route: ${method} ${path}`);
  node.served.set(method, { served, names });
}

/**
 * Finds the route for the rest of a path, beginning at one of its segments. `values` collects the
 * parameters.
 */
function find<T>(
  node: RouteNode<T>,
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
  const match = below(node.words.get(segment));
  if (match || !node.parameter || segment === '') return match;
  const depth = values.push(segment);
  const byParameter = below(node.parameter);
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

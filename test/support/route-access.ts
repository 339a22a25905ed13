import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { contract } from '#contract/index.ts';
import { type Permission, permissions, type Route } from '#contract/route.ts';

export type NamedRoute = readonly [name: string, route: Route];

/** All routes that require a credential, except signing out, which would end the session. */
export const authenticatedRoutes: readonly NamedRoute[] = Object.entries(contract)
  .flatMap(([group, of]) =>
    Object.entries(of).map(([name, route]): NamedRoute => [`${group}.${name}`, route]),
  )
  .filter(([name, { auth }]) => auth !== 'none' && name !== 'identity.logout');

/** One route for each combination of access requirements. */
export const oneRoutePerAccess: readonly NamedRoute[] = [
  ...new Map(
    authenticatedRoutes.map((named): [string, NamedRoute] => {
      const { auth, role, permission, allowsExpiredPassword } = named[1];
      return [[auth, role, permission, allowsExpiredPassword].join(), named];
    }),
  ).values(),
];

/** All sets of permissions; the empty one is first. */
export const permissionSets: readonly Permission[][] = Array.from(
  { length: 2 ** permissions.length },
  (_, bits) => permissions.filter((_permission, i) => bits & (1 << i)),
);

export interface RouteResponse {
  status: number;
  text: string;
  /** The parsed body of a JSON response. */
  body: Record<string, unknown>;
}

/**
 * Sends a request over a new connection, because an idle one may be closed between two requests.
 */
export function send(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
): Promise<RouteResponse> {
  const allHeaders = { 'Content-Type': 'application/json', ...headers };
  const options = { method, headers: allHeaders, agent: false };
  return new Promise((resolve, reject) => {
    const outgoing = url.startsWith('https:')
      ? httpsRequest(url, { ...options, rejectUnauthorized: false })
      : httpRequest(url, options);
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.includes('json') && text !== '';
        const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
        resolve({ status: response.statusCode ?? 0, text, body: parsed });
      });
    });
    outgoing.end(body);
  });
}

/** Whether a route is open to a credential. The request is invalid, so it changes nothing. */
async function isOpen(
  urls: { public: string; device: string },
  headers: Record<string, string>,
  [, { method, path, listener }]: NamedRoute,
): Promise<boolean> {
  const base = urls[listener === 'device' ? 'device' : 'public'];
  // The query and the ids are invalid, because a valid request for a profile would create an API
  // key.
  const url = `${base}${path.replace(/\{\w+\}/g, 'none')}?payloads=none`;
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{' : undefined;
  const { status } = await send(url, { method, headers, ...(body && { body }) });
  if (status >= 500) throw new Error(`${method} ${path} returned ${status}`);
  return status !== 401 && status !== 403;
}

/** The names of the routes that are open to a credential. */
export async function routesOpenTo(
  urls: { public: string; device: string },
  headers: Record<string, string>,
  routes: readonly NamedRoute[] = authenticatedRoutes,
): Promise<Set<string>> {
  const open = await mapWithConcurrency(routes, (route) => isOpen(urls, headers, route));
  return new Set(routes.filter((_, i) => open[i]).map(([name]) => name));
}

const CONCURRENCY = 8;

/** Calls a function for all items, a few at a time. */
export async function mapWithConcurrency<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const pending = items.entries();
  const worker = async (): Promise<void> => {
    for (const [i, item] of pending) results[i] = await work(item, i);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

import { REASON_HEADER } from '#contract/error-codes.ts';
import { reasonsWithStatus } from '#contract/error-reasons.ts';
import { codedError } from '#contract/errors.ts';
import { contract } from '#contract/index.ts';
import { refusalStatuses } from '#contract/openapi.ts';
import type { Route } from '#contract/route.ts';
import { createRouter } from '#control-plane/http/router.ts';

const find = createRouter(
  Object.values(contract)
    .flatMap((group) => Object.values<Route>(group))
    .map((route) => ({ route })),
);

/**
 * Responses that browsers and proxies may cache: they are the same for all clients and contain no
 * secrets.
 */
export const isCacheable = ({ path }: Route): boolean => path === contract.authorities.getCrl.path;

/**
 * `fetch` for tests: fails if the status is not documented for the route, or if a browser or proxy
 * could cache the response.
 */
export async function fetchAsDocumented(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname } = new URL(url);
  const route = find(init.method ?? 'GET', pathname)?.served.route;
  const documented = route && [route.status ?? 200, ...refusalStatuses(route)];
  if (documented && !documented.includes(response.status))
    throw new Error(
      `${init.method} ${route.path} returned ${response.status}, but documents ${documented.join()}`,
    );
  if (route && response.status >= 400) await requireReason(route, response);
  const kept = response.headers.get('cache-control') ?? 'nothing';
  if (route && !isCacheable(route) && !kept.startsWith('no-store'))
    throw new Error(`${init.method} ${route.path} returned Cache-Control: ${kept}`);
  return response;
}

/** Routes with a 503 that is the result of checks rather than an error. */
const CHECKS: readonly string[] = [contract.service.readyz.path];

/** Requires a reason that matches the status, also in the details if there are any. */
async function requireReason({ method, path, errors }: Route, response: Response): Promise<void> {
  if (CHECKS.includes(path)) return;
  const { status } = response;
  const reason = response.headers.get(REASON_HEADER);
  if (!reasonsWithStatus(status).some((one) => one === reason))
    throw new Error(`${method} ${path} returned ${status} with the reason ${reason}`);
  if (errors !== 'coded') return;
  const { error } = codedError.parse(await response.clone().json());
  if (error.details.reason !== reason)
    throw new Error(
      `${method} ${path} returned the reason ${error.details.reason} in its body, and ${reason} in its header`,
    );
}

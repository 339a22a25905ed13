import { contract } from '#contract/index.ts';
import { refusalStatuses } from '#contract/openapi.ts';
import type { Route } from '#contract/route.ts';
import { createRouter } from '#control-plane/http/router.ts';

const find = createRouter(
  Object.values(contract)
    .flatMap((group) => Object.values<Route>(group))
    .map((route) => ({ route })),
);

/** What browsers and proxies may keep: it is the same for everybody, and no secret. */
export const isKept = ({ path }: Route): boolean => path === contract.authorities.getCrl.path;

/**
 * What is answered with a status that the route's documentation does not name fails the test; so does
 * what a browser or a proxy could keep.
 */
export async function fetchAsDocumented(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname } = new URL(url);
  const route = find(init.method ?? 'GET', pathname)?.served.route;
  const documented = route && [route.status ?? 200, ...refusalStatuses(route)];
  if (documented && !documented.includes(response.status))
    throw new Error(
      `${init.method} ${route.path} answered ${response.status}: documented are ${documented.join()}`,
    );
  const kept = response.headers.get('cache-control') ?? 'nothing';
  if (route && !isKept(route) && !kept.startsWith('no-store'))
    throw new Error(`${init.method} ${route.path} answered Cache-Control: ${kept}`);
  return response;
}

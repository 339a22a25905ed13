import { usePathname } from 'wouter/use-browser-location';

/** Ids that others chose may hold anything, also what has a meaning in addresses. */
export const pathTo = (page: string, id: string): string => `/${page}/${encodeURIComponent(id)}`;

/** The id in an address such as `/users/a%2Fb`. */
export function idInPath(pathname: string): string {
  const segment = pathname.split('/')[2] ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Read from the browser: the router's parameters are only decoded in part. */
export const useIdInPath = (): string => idInPath(usePathname());

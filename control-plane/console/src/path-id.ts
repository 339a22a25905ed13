import { usePathname } from 'wouter/use-browser-location';

/**
 * Encodes an id in a path. Ids chosen by clients may contain any character, including those with a
 * meaning in URLs.
 */
export const pathTo = (page: string, id: string): string => `/${page}/${encodeURIComponent(id)}`;

/** The id in a path such as `/users/a%2Fb`. */
export function idInPath(pathname: string): string {
  const segment = pathname.split('/')[2] ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The id in the current path. Read from the browser, because the router decodes parameters only
 * partly.
 */
export const useIdInPath = (): string => idInPath(usePathname());

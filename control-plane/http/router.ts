import type { Route } from '#contract/route.ts';

export interface Match<T> {
  served: T;
  /** The values of the path's parameters, decoded. */
  params: Record<string, string>;
}

interface Entry<T> {
  served: T;
  segments: readonly string[];
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Words before parameters: `llm-calls/models/` must not be taken for a call named "models". */
const bySpecificity = <T>(a: Entry<T>, b: Entry<T>): number => {
  const place = a.segments.findIndex((s, i) => isParameter(s) !== isParameter(b.segments[i] ?? ''));
  if (place < 0) return 0;
  return isParameter(a.segments[place] as string) ? 1 : -1;
};

/**
 * Finds what serves a request, by a look into a table rather than by trying one route after the
 * other. Paths match with and without the trailing slash.
 *
 * @throws URIError for a parameter that is not well formed
 */
export function createRouter<T extends { route: Pick<Route, 'method' | 'path'> }>(
  all: readonly T[],
): (method: string, path: string) => Match<T> | undefined {
  const table = new Map<string, Entry<T>[]>();
  for (const served of all) {
    const segments = segmentsOf(served.route.path);
    const key = `${served.route.method} ${segments.length}`;
    table.set(key, [...(table.get(key) ?? []), { served, segments }].sort(bySpecificity));
  }
  return (method, path) => {
    const segments = segmentsOf(path);
    const found = table
      .get(`${method} ${segments.length}`)
      ?.find((entry) => matches(entry.segments, segments));
    return found && { served: found.served, params: paramsOf(found.segments, segments) };
  };
}

const segmentsOf = (path: string): string[] =>
  path.slice(path.startsWith('/') ? 1 : 0, path.endsWith('/') ? -1 : undefined).split('/');

const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.every((segment, i) => (isParameter(segment) ? path[i] !== '' : segment === path[i]));

function paramsOf(pattern: readonly string[], path: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  pattern.forEach((segment, i) => {
    if (isParameter(segment)) params[segment.slice(1, -1)] = decodeURIComponent(path[i] ?? '');
  });
  return params;
}

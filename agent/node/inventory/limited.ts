import type { Scan } from './platform-paths/platform-paths.ts';

/** The folder of a pattern up to its first star, with a slash at the end. */
export const fixedFolder = (pattern: string): string => {
  const fixed = pattern.includes('*') ? pattern.slice(0, pattern.search(/[^/]*\*/)) : pattern;
  return `${fixed.replace(/\/*$/, '')}/`;
};

/**
 * The first `max` items. If there are more, apps that were found at `path` before still count: they
 * may be among the rest. `path` is a file, or a folder with a slash at its end.
 */
export function limited<Item>(
  scan: Scan,
  items: readonly Item[],
  max: number,
  { path, of }: { path: string; of: string },
): readonly Item[] {
  if (items.length <= max) return items;
  scan.notRead(path, `more than ${max} ${of}, the rest was not examined`);
  return items.slice(0, max);
}

import { isPattern } from '../data/catalog.ts';
import type { CatalogHost } from '../data/sources.ts';

/**
 * The hosts that belong to this one and are off: what its app does there is not seen. Of a pattern
 * nobody can tell which of its hosts the app needs.
 */
export const missingSiblings = (
  { aliases }: Pick<CatalogHost, 'aliases'>,
  switchedOn: readonly string[],
): string[] => aliases.filter((host) => !isPattern(host) && !switchedOn.includes(host));

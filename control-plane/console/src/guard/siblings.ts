import type { CatalogHost } from '../data/guard-sources.ts';
import { isPattern } from '../data/catalog.ts';

/**
 * Related hosts that are off: the app's traffic to them is not captured. Patterns are left out,
 * because it is unknown which of the matching hosts the app uses.
 */
export const missingSiblings = (
  { aliases }: Pick<CatalogHost, 'aliases'>,
  switchedOn: readonly string[],
): string[] => aliases.filter((host) => !isPattern(host) && !switchedOn.includes(host));

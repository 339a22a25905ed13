import { formatCount } from '../format.ts';

/** How much a device replaced in an exchange, and of which kinds: `2 × EMAIL, 1 × API_KEY`. */
export function redactedIn(redactions: Record<string, number>): { total: number; kinds: string } {
  const found = Object.entries(redactions)
    .filter(([, count]) => count > 0)
    .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
  return {
    total: found.reduce((sum, [, count]) => sum + count, 0),
    kinds: found.map(([kind, count]) => `${formatCount(count)} × ${kind}`).join(', '),
  };
}

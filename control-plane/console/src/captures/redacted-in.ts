import { formatCount } from '../format.ts';

/** Number of redactions in an exchange, and their kinds as text: `2 × EMAIL, 1 × API_KEY`. */
export function redactedIn(redactions: Record<string, number>): { total: number; kinds: string } {
  const entries = Object.entries(redactions)
    .filter(([, count]) => count > 0)
    .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
  return {
    total: entries.reduce((sum, [, count]) => sum + count, 0),
    kinds: entries.map(([kind, count]) => `${formatCount(count)} × ${kind}`).join(', '),
  };
}

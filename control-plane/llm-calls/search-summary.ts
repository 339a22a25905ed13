import { bucketLength } from '../lib/bucket-length.ts';
import type { SearchMatch } from '../storage/search/search-index.ts';
import type { CallBucket, CallSummary } from './rules.ts';
import { type MatchFilter, filterSegment } from './search-page.ts';

/**
 * Counts the search matches that pass the filter by time. Segments are loaded one at a time, first
 * for the ends and then for the sums, so that memory does not grow with the number of matches.
 */
export async function bucketsOfMatches(
  matches: readonly SearchMatch[],
  filter: MatchFilter,
): Promise<CallSummary> {
  let [first, last] = [Infinity, -Infinity];
  for (const segment of matches) {
    const { fields, indices } = await filterSegment(segment, filter, ['created_at']);
    for (const i of indices) {
      const at = fields.created_at[i] as number;
      first = Math.min(first, at);
      last = Math.max(last, at);
    }
  }
  if (first > last) return { length: 0, buckets: [] };
  const length = bucketLength(first, last);
  const buckets = new Map<number, CallBucket>();
  for (const segment of matches) {
    const { fields, indices } = await filterSegment(segment, filter, ['created_at']);
    for (const i of indices) {
      const at = fields.created_at[i] as number;
      const start = at - (at % length);
      const bucket = buckets.get(start) ?? { start, calls: 0, tokens: 0, cost: 0 };
      bucket.calls += 1;
      bucket.tokens += fields.total_tokens[i] as number;
      bucket.cost += fields.cost[i] as number;
      buckets.set(start, bucket);
    }
  }
  return { length, buckets: [...buckets.values()].sort((a, b) => a.start - b.start) };
}

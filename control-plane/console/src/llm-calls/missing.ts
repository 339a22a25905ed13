import { MAX_MATCHES_WITH_DURATION } from '#contract/llm-calls.ts';
import type { LlmCallList } from '../data/llm-call-sources.ts';
import { formatCount, formatDuration, formatMany } from '../format.ts';

/** One sentence about calls that a search does not cover. */
export function missingFrom({ search_lag }: Pick<LlmCallList, 'search_lag'>): string {
  if (search_lag === null)
    return `Too many calls match to look up the duration of each: the results cover only about the latest ${formatCount(MAX_MATCHES_WITH_DURATION)}.`;
  if (!search_lag.calls)
    return 'The latest calls are still being indexed and not part of the results.';
  const [calls, time] = [
    formatMany(search_lag.calls, 'call'),
    formatDuration(search_lag.seconds * 1000),
  ];
  return `${calls} from the last ${time} are not indexed yet and not part of the results.`;
}

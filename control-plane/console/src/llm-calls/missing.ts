import type { LlmCallList } from '../data/llm-call-sources.ts';
import { formatDuration, formatMany } from '../format.ts';

/** One sentence about calls that are not searchable yet. */
export function missingFrom({ search_lag }: Pick<LlmCallList, 'search_lag'>): string {
  if (!search_lag?.calls)
    return 'The latest calls are still being indexed and not part of the results.';
  const [calls, time] = [
    formatMany(search_lag.calls, 'call'),
    formatDuration(search_lag.seconds * 1000),
  ];
  return `${calls} from the last ${time} are not indexed yet and not part of the results.`;
}

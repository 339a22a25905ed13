import type { LlmCallList } from '../data/llm-call-sources.ts';
import { formatDuration, formatMany } from '../format.ts';

/** What a search did not see, in one sentence. */
export function missingFrom({ search_lag }: Pick<LlmCallList, 'search_lag'>): string {
  if (!search_lag?.calls)
    return 'The latest calls are being indexed: matches among them are missing.';
  const [calls, time] = [
    formatMany(search_lag.calls, 'call'),
    formatDuration(search_lag.seconds * 1000),
  ];
  return `${calls} of the last ${time} are not indexed yet: matches among them are missing.`;
}

import { plural, t } from '@lingui/core/macro';
import { MAX_MATCHES_WITH_DURATION } from '#contract/llm-calls.ts';
import type { LlmCallList } from '../data/llm-call-sources.ts';
import { formatCount, formatDuration } from '../format.ts';

/** States in one sentence which calls are missing from the results of a search. */
export function searchLagNote({ search_lag }: Pick<LlmCallList, 'search_lag'>): string {
  if (search_lag === null) {
    const count = formatCount(MAX_MATCHES_WITH_DURATION);
    return t`Too many calls match to look up the duration of each: the results cover only about the latest ${count}.`;
  }
  if (!search_lag.calls)
    return t`The latest calls are still being indexed and not part of the results.`;
  const time = formatDuration(search_lag.seconds * 1000);
  return plural(search_lag.calls, {
    one: `# call from the last ${time} are not indexed yet and not part of the results.`,
    other: `# calls from the last ${time} are not indexed yet and not part of the results.`,
  });
}

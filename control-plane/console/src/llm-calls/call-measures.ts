import { plural, t } from '@lingui/core/macro';
import type { LlmCallTotals } from '../data/llm-call-sources.ts';
import { formatCountInShort, formatMoneyInShort } from '../format.ts';
import type { Measure } from '../lists/list-histogram.tsx';
import { sumOf } from '../lists/list-histogram.tsx';

type Bucket = LlmCallTotals['buckets'][number];

const calls = (count: number): string => plural(count, { one: '# LLM call', other: '# LLM calls' });
const tokens = (count: number): string => t`${formatCountInShort(count)} tokens`;

/** What is shown over time above the list of LLM calls. */
export const callMeasures: readonly [Measure<Bucket>, ...Measure<Bucket>[]] = [
  {
    id: 'calls',
    name: t`Calls`,
    value: (bucket) => bucket.calls,
    format: calls,
    summary: (all) => calls(sumOf(all, (bucket) => bucket.calls)),
  },
  {
    id: 'cost',
    name: t`Cost`,
    value: ({ cost }) => cost,
    format: formatMoneyInShort,
    summary: (all) => formatMoneyInShort(sumOf(all, ({ cost }) => cost)),
  },
  {
    id: 'tokens',
    name: t`Tokens`,
    value: (bucket) => bucket.tokens,
    format: tokens,
    summary: (all) => tokens(sumOf(all, (bucket) => bucket.tokens)),
  },
];

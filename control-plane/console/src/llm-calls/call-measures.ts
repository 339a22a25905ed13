import { plural, t } from '@lingui/core/macro';
import type { LlmCallTotals } from '../data/llm-call-sources.ts';
import type { Measure } from '../lists/list-histogram.tsx';
import { costMeasure, sumOf, tokensMeasure } from '../lists/list-histogram.tsx';

type Bucket = LlmCallTotals['buckets'][number];

const calls = (count: number): string => plural(count, { one: '# LLM call', other: '# LLM calls' });

/** The measures above the list of LLM calls. */
export const callMeasures: readonly [Measure<Bucket>, ...Measure<Bucket>[]] = [
  {
    id: 'calls',
    name: t`Calls`,
    value: (bucket) => bucket.calls,
    format: calls,
    summary: (all) => calls(sumOf(all, (bucket) => bucket.calls)),
  },
  costMeasure,
  tokensMeasure,
];

import { plural, t } from '@lingui/core/macro';
import type { RunTotals } from '../data/run-sources.ts';
import { formatCountInShort, formatMoneyInShort } from '../format.ts';
import type { Measure } from '../lists/list-histogram.tsx';
import { sumOf } from '../lists/list-histogram.tsx';

type Bucket = RunTotals['buckets'][number];

const runsText = (runs: number): string => plural(runs, { one: '# run', other: '# runs' });
const errorsText = (errors: number): string =>
  plural(errors, { one: '# error', other: '# errors' });
const tokens = (count: number): string => t`${formatCountInShort(count)} tokens`;

/** What is shown over time above the list of runs. */
export const runMeasures: readonly [Measure<Bucket>, ...Measure<Bucket>[]] = [
  {
    id: 'runs',
    name: t`Runs`,
    value: ({ runs }) => runs,
    errors: ({ errors }) => errors,
    format: runsText,
    formatErrors: errorsText,
    summary: (all) => {
      const runs = runsText(sumOf(all, (bucket) => bucket.runs));
      const errors = errorsText(sumOf(all, (bucket) => bucket.errors));
      return t`${runs} and ${errors}`;
    },
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

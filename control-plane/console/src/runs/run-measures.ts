import type { RunTotals } from '../data/run-sources.ts';
import { formatCountInShort, formatMany, formatMoneyInShort } from '../format.ts';
import type { Measure } from '../lists/list-histogram.tsx';
import { sumOf } from '../lists/list-histogram.tsx';

type Bucket = RunTotals['buckets'][number];

const tokens = (count: number): string => `${formatCountInShort(count)} tokens`;

/** What is shown over time above the list of runs. */
export const runMeasures: readonly [Measure<Bucket>, ...Measure<Bucket>[]] = [
  {
    id: 'runs',
    name: 'Runs',
    value: ({ runs }) => runs,
    errors: ({ errors }) => errors,
    format: (runs) => formatMany(runs, 'run'),
    formatErrors: (errors) => formatMany(errors, 'error'),
    summary: (all) =>
      `${formatMany(
        sumOf(all, ({ runs }) => runs),
        'run',
      )} and ${formatMany(
        sumOf(all, ({ errors }) => errors),
        'error',
      )}`,
  },
  {
    id: 'cost',
    name: 'Cost',
    value: ({ cost }) => cost,
    format: formatMoneyInShort,
    summary: (all) => formatMoneyInShort(sumOf(all, ({ cost }) => cost)),
  },
  {
    id: 'tokens',
    name: 'Tokens',
    value: (bucket) => bucket.tokens,
    format: tokens,
    summary: (all) => tokens(sumOf(all, (bucket) => bucket.tokens)),
  },
];

import { plural, t } from '@lingui/core/macro';
import type { RunTotals } from '../data/run-sources.ts';
import type { Measure } from '../lists/list-histogram.tsx';
import { costMeasure, sumOf, tokensMeasure } from '../lists/list-histogram.tsx';

type Bucket = RunTotals['buckets'][number];

const runsText = (runs: number): string => plural(runs, { one: '# run', other: '# runs' });
const errorsText = (errors: number): string =>
  plural(errors, { one: '# error', other: '# errors' });

/** The measures of the histogram above the list of runs. */
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
  costMeasure,
  tokensMeasure,
];

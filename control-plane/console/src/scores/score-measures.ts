import { plural, t } from '@lingui/core/macro';
import type { ScoreTotals } from '../data/score-sources.ts';
import type { Measure } from '../lists/list-histogram.tsx';
import { sumOf } from '../lists/list-histogram.tsx';
import { formatAverage } from './score-words.ts';

type Bucket = ScoreTotals['buckets'][number];

const scores = (count: number): string => plural(count, { one: '# score', other: '# scores' });

const number: Measure<Bucket> = {
  id: 'scores',
  name: t`Scores`,
  value: (bucket) => bucket.scores,
  format: scores,
  summary: (all) => scores(sumOf(all, (bucket) => bucket.scores)),
};

const averageOf = (totals: ScoreTotals): Measure<Bucket> => ({
  id: 'average',
  name: t`Average`,
  value: ({ avg }) => avg ?? 0,
  format: formatAverage,
  summary: () => t`average ${formatAverage(totals.avg_numeric_value ?? 0)}`,
});

/** The measures of the histogram above the list of scores. Bars cannot show averages below 0. */
export const scoreMeasures = (
  totals: ScoreTotals,
): readonly [Measure<Bucket>, ...Measure<Bucket>[]] =>
  totals.avg_numeric_value === null || totals.buckets.some(({ avg }) => avg !== null && avg < 0)
    ? [number]
    : [number, averageOf(totals)];

import { plural } from '@lingui/core/macro';
import type { ScoreSummary } from '../data/run-sources.ts';
import { NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { formatAverage } from '../scores/score-words.ts';

/** The average of numeric values, otherwise the latest value. */
export const summaryText = ({ average, value }: ScoreSummary): string =>
  average === null ? (value ?? NONE) : formatAverage(average);

export function ScoreSummaryText({ score }: { score: ScoreSummary }) {
  const text = summaryText(score);
  const latest = plural(score.count, {
    one: `${text}: latest of # score`,
    other: `${text}: latest of # scores`,
  });
  const average = plural(score.count, {
    one: `${text}: average of # score`,
    other: `${text}: average of # scores`,
  });
  return score.count > 1 ? (
    <Clipped text={text} title={score.average === null ? latest : average} />
  ) : (
    <Clipped text={text} />
  );
}

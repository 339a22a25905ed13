import type { ScoreSummary } from '../data/run-sources.ts';
import { formatMany, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { formatAverage } from '../scores/score-words.ts';

/** The average of the numbers, else the latest value. */
export const summaryText = ({ average, value }: ScoreSummary): string =>
  average === null ? (value ?? NONE) : formatAverage(average);

export function ScoreSummaryText({ score }: { score: ScoreSummary }) {
  const text = summaryText(score);
  const how = score.average === null ? 'latest' : 'average';
  return score.count > 1 ? (
    <Clipped text={text} title={`${text}: ${how} of ${formatMany(score.count, 'score')}`} />
  ) : (
    <Clipped text={text} />
  );
}

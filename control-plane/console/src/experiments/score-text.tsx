import { t } from '@lingui/core/macro';
import type { ListedExperiment, Score } from '../data/experiment-sources.ts';
import { NONE } from '../format.ts';
import { Badge } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { formatAverage } from '../scores/score-words.ts';
import { markInvisible } from '../mark-invisible.ts';

/** `Pass`, `Fail`, a number, or `Error`. */
export function scoreText({ value, passed, error }: Score): string {
  if (error !== null) return t`Error`;
  if (passed !== null) return passed ? t`Pass` : t`Fail`;
  return value === null ? NONE : formatAverage(value);
}

const toneOf = ({ passed, error }: Score) => {
  if (error !== null) return 'warn' as const;
  if (passed === null) return 'neutral' as const;
  return passed ? ('good' as const) : ('bad' as const);
};

/** The scores of one output with the names of their evaluators. */
export const Scores = ({ scores }: { scores: readonly Score[] }) =>
  scores.length === 0 ? (
    NONE
  ) : (
    <span className="badges">
      {scores.map((score) => (
        <Badge
          key={score.name}
          tone={toneOf(score)}
          title={markInvisible(score.error ?? score.reason ?? score.name)}
        >
          <Text>{`${score.name}: ${scoreText(score)}`}</Text>
        </Badge>
      ))}
    </span>
  );

/** The average score of each evaluator in one line. */
export const averagesText = ({ scores }: Pick<ListedExperiment, 'scores'>): string =>
  scores.map(({ name, avg }) => `${name} ${averageText(avg)}`).join(', ') || NONE;

export const averageText = (average: number | null): string =>
  average === null ? NONE : formatAverage(average);

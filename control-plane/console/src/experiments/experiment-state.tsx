import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ListedExperiment } from '../data/experiment-sources.ts';
import { formatCount } from '../format.ts';
import { State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';

type Progress = Pick<
  ListedExperiment,
  'status' | 'item_count' | 'completed_count' | 'failed_count'
>;

/** The progress of an experiment, or its final state. */
export function ExperimentState(experiment: Progress) {
  const { status, item_count, completed_count, failed_count } = experiment;
  const done = completed_count + failed_count;
  const progress = t`${formatCount(done)} of ${formatCount(item_count)}`;
  switch (status) {
    case 'running':
      return (
        <State tone="accent">
          <Trans>Running, {progress}</Trans>
        </State>
      );
    case 'cancelled':
      return (
        <State tone="neutral">
          <Trans>Cancelled, {progress}</Trans>
        </State>
      );
    case 'completed': {
      const tone: Tone = failed_count === 0 ? 'good' : completed_count === 0 ? 'bad' : 'warn';
      return (
        <State tone={tone}>
          {failed_count === 0 ? t`Completed` : t`${formatCount(failed_count)} failed`}
        </State>
      );
    }
  }
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import type { Experiment, ExperimentPath } from '../data/experiment-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { pathTo } from '../path-id.ts';

interface ActionsProps {
  experiment: Experiment;
  path: ExperimentPath;
  onChanged: () => Promise<void>;
}

/** Buttons to cancel, retry or delete an experiment. */
export function ExperimentActions({ experiment, path, onChanged }: ActionsProps) {
  const [deleting, setDeleting] = useState(false);
  const { error, busy, attempt } = useAttempt();
  const [, navigate] = useLocation();
  const change = (request: (of: { params: ExperimentPath }) => Promise<unknown>) =>
    void attempt(async () => {
      await request({ params: path });
      await onChanged();
    });
  const { cancelExperiment, retryExperiment } = api.experiments;
  return (
    <div className="button-row">
      <span className="form-error" role="alert">
        {error}
      </span>
      {experiment.status === 'running' && (
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() => change(cancelExperiment)}
        >
          <Trans>Cancel experiment</Trans>
        </button>
      )}
      {hasFailed(experiment) && (
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() => change(retryExperiment)}
        >
          <Trans>Retry failed items</Trans>
        </button>
      )}
      <button type="button" className="button danger" onClick={() => setDeleting(true)}>
        <Trans>Delete…</Trans>
      </button>
      {deleting && (
        <ConfirmDialog
          title={t`Delete ${experiment.name}?`}
          action={t`Delete experiment`}
          onConfirm={async () => {
            await api.experiments.deleteExperiment({ params: path });
            navigate(`${pathTo('datasets', path.dataset_id)}?tab=experiments`);
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            <Trans>Its results are deleted. This cannot be undone.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Whether an experiment has ended with items that have no output, or with failed judgements. */
function hasFailed(experiment: Experiment): boolean {
  const { status, completed_count, item_count, evaluators, scores } = experiment;
  if (status === 'running') return false;
  const judges = evaluators.filter(({ type }) => type === 'llm_judge').map(({ name }) => name);
  return (
    completed_count < item_count ||
    scores.some(({ name, error_count }) => error_count > 0 && judges.includes(name))
  );
}

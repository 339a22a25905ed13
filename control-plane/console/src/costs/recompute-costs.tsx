import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { recomputation } from '../data/settings-sources.ts';
import type { Recomputation } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Section } from '../parts/section.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

/** Applies the current prices to calls that were recorded earlier. */
export function RecomputeCosts({ onDone }: { onDone: () => Promise<void> }) {
  const [started, setStarted] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const { error, busy, attempt } = useAttempt();
  const start = async (unpriced_only: boolean) => {
    await api.costs.startRecomputation({ body: { unpriced_only } });
    setStarted(true);
    await onDone();
  };
  return (
    <Section title={t`Recorded costs`}>
      <div className="card stack">
        <p className="muted">
          <Trans>
            Recomputes the costs of recorded calls with the current prices, in the background. Costs
            that clients sent stay.
          </Trans>
        </p>
        <div className="button-row">
          <button
            type="button"
            className="button"
            disabled={busy}
            onClick={() => void attempt(() => start(true))}
          >
            <Trans>Price unpriced calls</Trans>
          </button>
          <button type="button" className="button" onClick={() => setConfirming(true)}>
            <Trans>Recompute all calls</Trans>
          </button>
          <span className="form-error" role="alert">
            {error}
          </span>
        </div>
        {started && <Progress />}
      </div>
      {confirming && (
        <ConfirmDialog
          title={t`Recompute all costs`}
          action={t`Recompute`}
          onConfirm={() => start(false)}
          onClose={() => setConfirming(false)}
        >
          <p>
            <Trans>
              Past costs, totals and charts change to the current prices. The previous costs are not
              kept.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Progress() {
  const { data, error } = useQuery(recomputation());
  return <p role="status">{error ?? (data ? sentenceOf(data) : t`Starting…`)}</p>;
}

const statusNames: Record<Recomputation['status'], string> = {
  running: t`Running`,
  completed: t`Completed`,
  failed: t`Failed`,
  interrupted: t`Interrupted`,
};

function sentenceOf({ status, cost_before, cost_after, ...calls }: Recomputation): string {
  const [name, checked, changed] = [
    statusNames[status],
    formatCount(calls.checked),
    formatCount(calls.changed),
  ];
  const [before, now] = [formatMoney(cost_before), formatMoney(cost_after)];
  return t`${name}: ${checked} calls checked, ${changed} changed, ${before} before, ${now} now.`;
}

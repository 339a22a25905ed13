import { useState } from 'react';
import { api } from '../data/api.ts';
import { recomputation } from '../data/settings-sources.ts';
import type { Recomputation } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Section } from '../parts/section.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

/** Applies the present prices to calls that were recorded before. */
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
    <Section title="Recorded costs">
      <div className="card stack">
        <p className="muted">
          Recomputes the costs of recorded calls with the present prices, in the background. Costs
          that clients sent stay.
        </p>
        <div className="button-row">
          <button
            type="button"
            className="button"
            disabled={busy}
            onClick={() => void attempt(() => start(true))}
          >
            Price unpriced calls
          </button>
          <button type="button" className="button" onClick={() => setConfirming(true)}>
            Recompute all calls
          </button>
          <span className="form-error" role="alert">
            {error}
          </span>
        </div>
        {started && <Progress />}
      </div>
      {confirming && (
        <ConfirmDialog
          title="Recompute all costs"
          action="Recompute"
          onConfirm={() => start(false)}
          onClose={() => setConfirming(false)}
        >
          <p>
            Costs, totals and charts of the past change to the present prices. The former costs are
            not kept.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Progress() {
  const { data, error } = useQuery(recomputation());
  return <p role="status">{error ?? (data ? sentenceOf(data) : 'Starting…')}</p>;
}

const statusNames: Record<Recomputation['status'], string> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  interrupted: 'Interrupted',
};

const sentenceOf = ({ status, checked, changed, cost_before, cost_after }: Recomputation): string =>
  `${statusNames[status]}: ${formatCount(checked)} calls checked, ${formatCount(changed)} changed, ` +
  `${formatMoney(cost_before)} before, ${formatMoney(cost_after)} now.`;

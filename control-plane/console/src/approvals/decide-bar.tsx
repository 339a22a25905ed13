import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '../parts/use-attempt.ts';
import type { PageSelection } from '../lists/page-selection.tsx';
import './decide-bar.css';

export type DecideMany = (
  ids: string[],
  decision: 'approve' | 'deny',
  note: string,
) => Promise<void>;

interface DecideBarProps {
  /** The number of requests on this page that the user may decide. */
  count: number;
  selection: PageSelection;
  onDecide: DecideMany;
}

/** Decides all selected requests at once, with one comment. */
export function DecideBar({ count, selection, onDecide }: DecideBarProps) {
  const [note, setNote] = useState('');
  const { error, busy, attempt } = useAttempt();
  const selected = [...selection.keys];
  const decide = async (decision: 'approve' | 'deny') => {
    if (await attempt(() => onDecide(selected, decision, note))) setNote('');
  };
  const disabled = busy || selected.length === 0;
  return (
    <div className="decide-bar" role="group" aria-label={t`Decide selected requests`}>
      <label>
        <input type="checkbox" checked={selected.length === count} onChange={selection.toggleAll} />
        {plural(count, { one: 'Select # request', other: 'Select # requests' })}
      </label>
      <span className="muted" aria-live="polite">
        {selected.length > 0 && t`${selected.length} selected`}
      </span>
      <input
        className="field"
        aria-label={t`Comment on the decision`}
        placeholder={t`Comment (optional)`}
        maxLength={2000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <button
        type="button"
        className="button primary"
        disabled={disabled}
        onClick={() => void decide('approve')}
      >
        <Trans>Approve selected</Trans>
      </button>
      <button
        type="button"
        className="button danger"
        disabled={disabled}
        onClick={() => void decide('deny')}
      >
        <Trans>Deny selected</Trans>
      </button>
      <p className="form-error" role="alert">
        {error}
      </p>
    </div>
  );
}

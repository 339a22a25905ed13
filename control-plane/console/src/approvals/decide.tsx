import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { Approval } from '../data/approval-sources.ts';
import { useAttempt } from '../parts/use-attempt.ts';

interface DecideProps {
  approval: Approval;
  onDecided: () => Promise<void>;
}

/** Approves or denies a request; the comment is stored with the decision. */
export function Decide({ approval, onDecided }: DecideProps) {
  const [note, setNote] = useState('');
  const { error, busy, attempt } = useAttempt();
  const decide = (decision: 'approve' | 'deny') =>
    void attempt(async () => {
      await api.approvals[decision]({ params: { id: approval.id }, body: { note } });
      await onDecided();
    });
  return (
    <form className="settle" onSubmit={(event: SubmitEvent) => event.preventDefault()}>
      <label>
        <Trans>Comment</Trans>
        <textarea
          className="field"
          rows={2}
          maxLength={2000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      <p className="form-error" role="alert">
        {error}
      </p>
      <DecisionButtons
        busy={busy}
        onApprove={() => decide('approve')}
        onDeny={() => decide('deny')}
      />
    </form>
  );
}

interface DecisionButtonsProps {
  busy: boolean;
  onApprove: () => void;
  onDeny: () => void;
}

export const DecisionButtons = ({ busy, onApprove, onDeny }: DecisionButtonsProps) => (
  <div className="button-row">
    <button type="button" className="button primary" disabled={busy} onClick={onApprove}>
      <Trans>Approve</Trans>
    </button>
    <button type="button" className="button danger" disabled={busy} onClick={onDeny}>
      <Trans>Deny</Trans>
    </button>
  </div>
);

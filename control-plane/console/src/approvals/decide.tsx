import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { Approval } from '../data/approval-sources.ts';
import { useAttempt } from '../parts/use-attempt.ts';

interface DecideProps {
  approval: Approval;
  onDecided: () => Promise<void>;
}

/** Approves or denies a request; the note is stored with the decision. */
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
        Note
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
      <div className="button-row">
        <button
          type="button"
          className="button primary"
          disabled={busy}
          onClick={() => decide('approve')}
        >
          Approve
        </button>
        <button
          type="button"
          className="button danger"
          disabled={busy}
          onClick={() => decide('deny')}
        >
          Deny
        </button>
      </div>
    </form>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { errorWithin } from './field-errors.ts';
import type { FieldErrors } from './field-errors.ts';

interface PolicySaveBarProps {
  action: string;
  errors: FieldErrors;
  busy: boolean;
  onSave: (note: string) => void;
  onDiscard: () => void;
}

/** Sticky bar with a change note and the save button. */
export function PolicySaveBar({ action, errors, busy, onSave, onDiscard }: PolicySaveBarProps) {
  const [note, setNote] = useState('');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave(note);
  };
  return (
    <form className="save-bar" aria-label={t`Unsaved changes`} onSubmit={submit}>
      <span>
        <input
          className="field"
          aria-label={t`Change note`}
          placeholder={t`Change note (kept with the version)`}
          maxLength={2000}
          autoComplete="off"
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <span className="form-error" role="alert">
          {summaryOf(errors)}
        </span>
      </span>
      <button type="button" className="button" disabled={busy} onClick={onDiscard}>
        <Trans>Discard</Trans>
      </button>
      <button type="submit" className="button primary" disabled={busy}>
        {action}
      </button>
    </form>
  );
}

/** The errors to show in the bar: those that no field shows. */
function summaryOf(errors: FieldErrors): string | undefined {
  const note = errorWithin(errors, 'note');
  const fields = Object.keys(errors.byPath).length > (note === undefined ? 0 : 1);
  const parts = [errors.other, note, fields && t`Correct the marked fields.`];
  return parts.filter(Boolean).join(' ') || undefined;
}

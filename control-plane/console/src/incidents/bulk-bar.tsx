import { useState } from 'react';
import { severities } from '#contract/policy-actions.ts';
import type { Assignee, IncidentChanges } from '../data/incident-sources.ts';
import { formatMany } from '../format.ts';
import { Select } from '../parts/choice.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { severityNames } from './incident-state.tsx';
import type { Selection } from './use-selection.ts';
import './bulk-bar.css';

interface BulkBarProps {
  selection: Selection;
  /** What the filter matches. */
  groups: number;
  incidents: number;
  users: readonly Assignee[];
  onChange: (changes: IncidentChanges) => Promise<void>;
}

const unassigned = { id: 'none', name: 'No one' };

/** Changes the selected groups, or everything that the filter matches. */
export function BulkBar({ selection, groups, incidents, users, onChange }: BulkBarProps) {
  const { error, busy, attempt } = useAttempt();
  const [pending, setPending] = useState<{ name: string; changes: IncidentChanges }>();
  const count = selection.isAll ? groups : selection.keys.length;
  const apply = (name: string, changes: IncidentChanges) => {
    if (selection.isAll) setPending({ name, changes });
    else void attempt(() => onChange(changes));
  };
  const disabled = busy || count === 0;
  return (
    <div className="bulk-bar" role="group" aria-label="Change selected incidents">
      <label>
        <input
          type="checkbox"
          checked={selection.isAll}
          onChange={({ target }) => selection.setAll(target.checked)}
        />
        {`All ${formatMany(incidents, 'incident')} of this filter`}
      </label>
      <span className="muted" aria-live="polite">
        {count > 0 && !selection.isAll && `${formatMany(count, 'group')} selected`}
      </span>
      <span className="spacer" />
      <fieldset disabled={disabled}>
        <legend className="hidden">Changes</legend>
        <button
          type="button"
          className="button"
          onClick={() => apply('Acknowledge', { status: 'acknowledged' })}
        >
          Acknowledge
        </button>
        <button
          type="button"
          className="button"
          onClick={() => apply('Resolve', { status: 'resolved' })}
        >
          Resolve
        </button>
        <button
          type="button"
          className="button"
          onClick={() => apply('Reopen', { status: 'open' })}
        >
          Reopen
        </button>
        <Select
          label="Set severity"
          all="Severity…"
          options={severities.map((id) => ({ id, name: severityNames[id] }))}
          value=""
          onChange={(id) => {
            const severity = severities.find((one) => one === id);
            if (severity) apply('Change severity', { severity });
          }}
        />
        <Select
          label="Assign to"
          all="Assign…"
          options={[unassigned, ...users.map(({ id, email }) => ({ id, name: email }))]}
          value=""
          onChange={(id) => apply('Assign', { assignee_id: id === unassigned.id ? null : id })}
        />
      </fieldset>
      {error !== undefined && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      {pending && (
        <ConfirmDialog
          title={`${pending.name}: ${formatMany(incidents, 'incident')}`}
          action={pending.name}
          onConfirm={() => onChange(pending.changes)}
          onClose={() => setPending(undefined)}
        >
          <p>This changes everything that the filter matches, also on other pages.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
